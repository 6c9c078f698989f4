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

/** Every format that a conversation can be written in, in the order of the dialog. */
export const exporters: readonly Exporter[] = [
  ...[markdown, html, text],
  ...[json, jsonl, csv, openai, original],
  ...[chibi, cycod, fluux, voicemode],
]

/** The exporter of a format. */
export function exporterOf(format: ExportFormat): Exporter {
  const found = exporters.find(({ id }) => id === format)
  if (found === undefined) throw new Error(`no exporter for ${format}`)
  return found
}
