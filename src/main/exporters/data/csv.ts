import { isoTime } from '../../../shared/model/basics/time'
import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import { exportedText, exportKindOf, isRecord } from '../parts/entry-kind'
import { lostArguments, lostHalves, lostMetadata } from '../parts/entry-losses'
import type { Exportable, Exporter } from '../parts/exporter'
import type { EntryLoss } from '../parts/loss'
import { exportedEntries } from '../parts/rows'

/**
 * A table by RFC 4180: a line of names, then a line for each entry; CRLF after each, UTF-8 without a mark.
 *
 * A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end for a formula. Such a cell, and one
 * that begins with `'`, gets a `'` before it; taking one leading `'` off gives every text back.
 */
export const csvExporter: Exporter = {
  id: 'csv',
  extension: 'csv',
  mediaType: 'text/csv',
  branches: 'active',
  hasBranches: false,
  hasProject: false,
  hasOutputs: true,
  lostOf,
  async *write(conversation, options, signal) {
    yield record(columns)
    for await (const { entry, conversation: owner } of exportedEntries(
      conversation,
      options,
      signal,
    ))
      yield record(cells(entry, owner))
  },
}

/** The last ones but tool are those of voicemode's own export. */
const columns = [
  'timestamp',
  'conversation',
  'from',
  'to',
  'type',
  'role',
  'text',
  'model',
  'tool',
  'transport',
  'provider',
  'timing',
]

const placed: ReadonlySet<string> = new Set(['model', 'saved_output'])
const placedOfSpeech: ReadonlySet<string> = new Set(['transport', 'provider', 'timing', 'type'])

function lostOf(entry: Entry): readonly EntryLoss[] {
  const { timestamp, metadata = {} } = entry
  const { speech } = metadata
  const isSpeechPlaced =
    isRecord(speech) && Object.keys(speech).every((key) => placedOfSpeech.has(key))
  return [
    ...(timestamp !== null && isoTime(timestamp) === null ? [{ kind: 'time' } as const] : []),
    ...lostMetadata(entry, isSpeechPlaced ? new Set([...placed, 'speech']) : placed),
    ...lostArguments(entry),
    ...lostHalves(entry),
  ]
}

function cells(entry: Entry, conversation: Exportable): readonly string[] {
  const { timestamp, from, to, entry_type, metadata = {} } = entry
  const speech = isRecord(metadata.speech) ? metadata.speech : {}
  const said = exportKindOf(entry)
  return [
    isoTime(timestamp ?? undefined) ?? '',
    conversation.key,
    from,
    to,
    entry_type,
    speakerOf(entry) ?? '',
    exportedText('csv', entry, conversation),
    textOf(metadata.model),
    said === 'call' ? to : said === 'result' ? from : '',
    ...[speech.transport, speech.provider, speech.timing].map(textOf),
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)
}

function record(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n']/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}
