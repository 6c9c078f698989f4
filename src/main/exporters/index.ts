import type { ExportFormat } from '../../shared/model/export'
import { cycodExporter } from './chat/cycod'
import { openaiExporter } from './chat/openai'
import { csvExporter } from './data/csv'
import { jsonExporter } from './data/json'
import { jsonlExporter } from './data/jsonl'
import { originalExporter } from './data/original'
import { htmlExporter } from './documents/html'
import { markdownExporter } from './documents/markdown'
import { pdfExporter } from './documents/pdf'
import { textExporter } from './documents/text'
import type { Exporter } from './parts/exporter'
import { chibiExporter } from './programs/chibi'
import { fluuxExporter } from './programs/fluux'
import { voicemodeExporter } from './programs/voicemode'
import { claudeCodeExporter } from './sessions/claude-code'
import { codexExporter } from './sessions/codex'
import { openCodeExporter } from './sessions/opencode'
import { piExporter } from './sessions/pi'

/** An exporter for every format. */
const exporters: Readonly<Record<ExportFormat, Exporter>> = {
  md: markdownExporter,
  html: htmlExporter,
  pdf: pdfExporter,
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
  pi: piExporter,
  'claude-code': claudeCodeExporter,
  codex: codexExporter,
  opencode: openCodeExporter,
}

/** Returns the exporter of a format. */
export function exporterOf(format: ExportFormat): Exporter {
  return exporters[format]
}
