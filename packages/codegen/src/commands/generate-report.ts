import type { GenerateReport } from '../generate-report.js';
import type { Project } from '../project/project.js';

/** The JSON output of `generate`. */
export function reportAsJson(project: Project, report: GenerateReport, ok: boolean): string {
  return `${JSON.stringify({ command: 'generate', ok, output: project.output, ...report })}\n`;
}

/** Output line of a check without findings. */
export function upToDate(project: Project, report: GenerateReport, ms: number): string {
  return `${project.output}: up to date; ${reportSummary(report, ms)}\n`;
}

export function reportSummary({ files, protos, services, methods }: GenerateReport, ms: number): string {
  const seconds = (ms / 1000).toFixed(2);
  return `${files} files from ${protos} protos, ${services} services, ${methods} methods, ${seconds} s`;
}
