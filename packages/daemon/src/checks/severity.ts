export type Severity = 'critical' | 'warning' | 'info';
