/** Names of the exported files. */
export const exportedFiles = {
  rules: 'rules.yml',
  alertmanager: 'alertmanager.yml',
  scrape: 'prometheus.yml',
} as const;
