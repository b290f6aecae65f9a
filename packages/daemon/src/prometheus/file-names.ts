/** Names of the exported files. */
export const fileNames = { rules: 'rules.yml', alertmanager: 'alertmanager.yml', scrape: 'prometheus.yml' } as const;
