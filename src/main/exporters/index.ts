import type { ExportFormat } from '../../shared/model/export'
import type { Exporter } from './exporter'
import { html } from './html'
import { json } from './json'
import { jsonl } from './jsonl'
import { markdown } from './markdown'

/** Every format that a conversation can be written in, in the order of the dialog. */
export const exporters: readonly Exporter[] = [markdown, html, json, jsonl]

/** The exporter of a format. */
export function exporterOf(format: ExportFormat): Exporter {
  const found = exporters.find(({ id }) => id === format)
  if (found === undefined) throw new Error(`no exporter for ${format}`)
  return found
}
