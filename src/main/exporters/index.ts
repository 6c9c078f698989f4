import type { ExportFormat } from '../../shared/model/export'
import { chibiExporter } from './chibi'
import { csvExporter } from './csv'
import { cycodExporter } from './cycod'
import type { Exporter } from './exporter'
import { fluuxExporter } from './fluux'
import { htmlExporter } from './html'
import { jsonExporter } from './json'
import { jsonlExporter } from './jsonl'
import { markdownExporter } from './markdown'
import { openaiExporter } from './openai'
import { originalExporter } from './original'
import { textExporter } from './text'
import { voicemodeExporter } from './voicemode'

/** An exporter for every format. */
const exporters: Readonly<Record<ExportFormat, Exporter>> = {
  md: markdownExporter,
  html: htmlExporter,
  txt: textExporter,
  json: jsonExporter,
  jsonl: jsonlExporter,
  csv: csvExporter,
  openai: openaiExporter,
  original: originalExporter,
  chibi: chibiExporter,
  cycod: cycodExporter,
  fluux: fluuxExporter,
  voicemode: voicemodeExporter,
}

/** The exporter of a format. */
export function exporterOf(format: ExportFormat): Exporter {
  return exporters[format]
}
