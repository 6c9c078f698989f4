import type { ExportFormat } from '../../shared/model/export'
import { chibi } from './chibi'
import { csv } from './csv'
import { cycod } from './cycod'
import type { Exporter } from './exporter'
import { fluux } from './fluux'
import { html } from './html'
import { json } from './json'
import { jsonl } from './jsonl'
import { markdown } from './markdown'
import { openai } from './openai'
import { original } from './original'
import { text } from './text'
import { voicemode } from './voicemode'

/** An exporter for every format. */
const exporters: Readonly<Record<ExportFormat, Exporter>> = {
  md: markdown,
  html: html,
  txt: text,
  json: json,
  jsonl: jsonl,
  csv: csv,
  openai: openai,
  original: original,
  chibi: chibi,
  cycod: cycod,
  fluux: fluux,
  voicemode: voicemode,
}

/** The exporter of a format. */
export function exporterOf(format: ExportFormat): Exporter {
  return exporters[format]
}
