import type { JsonObject } from '../../../shared/model/basics/json-object'
import { EntryId } from '../../../shared/model/conversation/entry'
import type {
  DamagedLine,
  FileLedger,
  TranscriptRow,
} from '../../../shared/model/conversation/transcript'
import { type ExportBranches, exportFormats } from '../../../shared/model/export'
import { readEarlierExport } from '../../exporters/data/exported-again'
import type { Exportable, Exporter } from '../../exporters/parts/exporter'
import { isLeftOut } from '../../exporters/parts/loss'
import { isOnPath } from '../../exporters/parts/rows'
import { sourceMeta } from '../../exporters/parts/source-meta'
import type { Redactor } from '../../redaction/redactor'
import {
  type ExportableHead,
  shapedEarlierHead,
  shapedEntry,
  shapedHead,
  shapedLedger,
  shapedLine,
  shapedMeta,
  type TextSteps,
} from './redacted-shape'

interface RedactedForm {
  readonly redactor: Redactor
  readonly exporter: Exporter
  readonly branches: ExportBranches
}

/**
 * Makes a conversation in which everything that a format may write is redacted: the head, entries with the names of their
 * members, the bytes of damaged lines, ledgers, and what the history says of itself. Only what is written is counted.
 */
export function redactedConversation(plain: Exportable, form: RedactedForm): Exportable {
  const { redactor } = form
  const { rows, files, originals: _, told: _t, active, ...head } = plain
  return {
    ...redactedHead(head, redactor),
    active: active?.map((id) => EntryId.parse(redactor.link(id))),
    rows: redactedRows({ rows, active, source: plain.source }, form),
    files: async () => (await files()).map((ledger) => redactedLedger(ledger, redactor)),
    // Bytes cannot be redacted as text: JSON has its texts escaped, and names that a pattern may match.
    originals: undefined,
    told: toldRedacted(plain, redactor),
  }
}

/** The entries are counted already, and so are the title and key. */
function toldRedacted(plain: Exportable, redactor: Redactor): NonNullable<Exportable['told']> {
  return {
    async earlier(signal) {
      const earlier = await readEarlierExport(plain, signal)
      const { head } = earlier ?? {}
      return earlier && { ...earlier, head: head && redactedEarlierHead(head, redactor) }
    },
    async meta() {
      const meta = await sourceMeta(plain)
      return meta && reshaped((steps) => shapedMeta(meta, steps), redactor.uncounted, redactor)
    },
  }
}

function redactedEarlierHead(head: JsonObject, redactor: Redactor): JsonObject {
  return reshaped((steps) => shapedEarlierHead(head, steps), redactor.uncounted, redactor)
}

/**
 * Reads a conversation whole, as its format will: afterwards its redactor knows every secret and its number. The head comes last:
 * its title may have the beginning of what the entries have.
 */
export async function findSecrets(
  plain: Exportable,
  form: RedactedForm,
  signal: AbortSignal,
): Promise<void> {
  const { redactor, exporter } = form
  redactor.restart()
  const { rows: _r, files: _f, originals: _o, told: _t, active: _a, ...head } = plain
  for await (const _ of redactedRows(plain, form)) signal.throwIfAborted()
  const told = toldRedacted(plain, redactor)
  if (exporter.hasMeta === true) await told.meta()
  redactedHead(head, redactor)
  if (exporter.id === 'jsonl') await told.earlier(signal)
}

async function* redactedRows(
  { rows, active, source }: Pick<Exportable, 'rows' | 'active' | 'source'>,
  { redactor, exporter, branches }: RedactedForm,
): AsyncGenerator<TranscriptRow> {
  const onPath = isOnPath(branches === 'active' ? active : undefined)
  const hasDamaged = exportFormats[exporter.id].damaged !== 'left out'
  for await (const row of rows) {
    if (row.type === 'damaged') {
      if (hasDamaged) yield { type: 'damaged', damaged: redactedLine(row.damaged, redactor) }
    } else if (onPath(row.entry.id)) {
      const isWritten = !isLeftOut(exporter.lostOf(row.entry, { source }))
      const redact = isWritten ? redactor.value : redactor.uncounted
      const entry = reshaped((steps) => shapedEntry(row.entry, steps), redact, redactor)
      yield { type: 'entry', entry }
    }
  }
}

function redactedHead<Head extends ExportableHead>(head: Head, redactor: Redactor): Head {
  return reshaped((steps) => shapedHead(head, steps), redactor.value, redactor)
}

/** Shapes a value twice: the first time its texts are collected, so that the own patterns run once for all of them. */
function reshaped<T>(
  shape: (steps: TextSteps) => T,
  redact: (texts: readonly unknown[]) => readonly unknown[],
  { link }: Pick<Redactor, 'link'>,
): T {
  const found: unknown[] = []
  shape({
    text(value) {
      found.push(value)
      return value
    },
    link: (text) => text,
  })
  const given = redact(found)
  let next = 0
  return shape({ text: <Value>(_: Value) => given[next++] as Value, link })
}

function redactedLedger(ledger: FileLedger, redactor: Redactor): FileLedger {
  const damaged = ledger.damaged.map((line) => redactedLine(line, redactor))
  return { ...reshaped((steps) => shapedLedger(ledger, steps), redactor.value, redactor), damaged }
}

/** The bytes may be cut within a character or be none of UTF-8: each stays a byte. */
function redactedLine<
  Line extends Pick<DamagedLine, 'bytes' | 'reason'> & { readonly file?: string },
>(line: Line, redactor: Redactor): Line {
  const bytes = Buffer.from(line.bytes, 'base64')
  // A damaged line may end anywhere.
  const redacted = redactedBytes(bytes, (text) => redactor.text(text, true))
  const told = reshaped((steps) => shapedLine(line, steps), redactor.value, redactor)
  return { ...told, bytes: redacted.toString('base64') }
}

function redactedBytes(bytes: Buffer, redact: (text: string) => string): Buffer {
  const isText = Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)
  const encoding = isText ? 'utf8' : 'latin1'
  return Buffer.from(redact(bytes.toString(encoding)), encoding)
}
