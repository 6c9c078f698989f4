import { type SkeinExportEnd, skeinExportForm } from '../../../shared/model/skein-export'
import type { EarlierExport, Exportable, Exporter, ExportOptions } from '../parts/exporter'
import { isOnPath } from '../parts/rows'
import { entryAsExported, readEarlierExport } from './exported-again'

/**
 * A line about the conversation, one for each entry in `skein read`'s shape (the whole tree, in file order), and one that counts what
 * is not among them: Skein imports it as the same conversation, and writes the same bytes of that. Damaged lines are no entries; JSON
 * has them in its ledger.
 */
export const jsonlExporter: Exporter = {
  id: 'jsonl',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'all',
  hasBranches: true,
  hasProject: true,
  hasTags: true,
  hasColor: true,
  hasLabels: true,
  hasOutputs: true,
  hasImages: true,
  hasKeptImages: true,
  lostOf: () => [],
  async *write(conversation, options, signal) {
    const { branches, family = [] } = options
    const earlier = await readEarlierExport(conversation, signal)
    yield lineOf(headOf(conversation, options, earlier))
    const onPath = isOnPath(branches === 'all' ? undefined : conversation.active)
    const counts = { entries: 0, damaged: 0, otherBranches: 0 }
    for (const one of branches === 'all' ? [conversation, ...family] : [conversation])
      for await (const row of one.rows) {
        signal.throwIfAborted()
        if (row.type === 'damaged') counts.damaged += 1
        else if (!onPath(row.entry.id)) counts.otherBranches += 1
        // A fork repeats its parent's entries; the family's line for them was written.
        else if (one === conversation || row.entry.inherited !== true) {
          counts.entries += 1
          yield lineOf(earlier === undefined ? row.entry : entryAsExported(row.entry))
        }
      }
    yield lineOf(endOf(conversation, options, counts, earlier))
  },
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** Of a conversation that was imported: as it was, with the title and tags that it has now. */
function headOf(
  conversation: Exportable,
  options: ExportOptions,
  earlier: EarlierExport | undefined,
): Readonly<Record<string, unknown>> {
  const { rows: _r, files: _f, originals: _o, told: _t, active, ...own } = conversation
  const { tags, pinned, color, hidden, ...head } = { ...own, title: options.title ?? own.title }
  const { forkRule } = options
  const given = {
    ...(tags === undefined ? {} : { tags }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(color === undefined ? {} : { color }),
    ...(hidden === undefined ? {} : { hidden }),
  }
  const written = {
    skeinExport: skeinExportForm,
    ...head,
    ...given,
    ...(active === undefined || forkRule === undefined ? {} : { forkRule }),
  }
  if (earlier?.head === undefined) return written
  const {
    tags: _tags,
    pinned: _p,
    color: _c,
    hidden: _h,
    forkRule: _rule,
    ...before
  } = earlier.head
  const { title, created, updated } = written
  const was = typeof before.title === 'string' ? before.title.trim() : ''
  // Without a title of its own it has one of its first words, or its key.
  const isRenamed = was !== '' && title !== was
  return {
    ...before,
    skeinExport: skeinExportForm,
    ...(isRenamed ? { title, storedTitle: title } : {}),
    ...(created === null && before.created !== null ? { created, updated } : {}),
    ...given,
    ...(written.forkRule === undefined ? {} : { forkRule }),
  }
}

/** Adds up what is left out: what was not in the export that the conversation comes from is not in this one either. */
function endOf(
  { active }: Exportable,
  { missing }: ExportOptions,
  counts: { readonly entries: number; readonly damaged: number; readonly otherBranches: number },
  earlier: EarlierExport | undefined,
): SkeinExportEnd {
  const before = earlier?.end
  // Of rows that were left out or redacted before, nothing came here.
  const told = missing?.()
  const { leftOut = 0, unread = 0, isRedacted = false, damaged = counts.damaged } = told ?? {}
  const beside = told === undefined ? counts.otherBranches : told.entries - leftOut - counts.entries
  const sum = {
    damaged: damaged + (before?.damaged ?? 0),
    leftOut: leftOut + (before?.leftOut ?? 0),
    otherBranches: Math.max(0, beside) + (before?.otherBranches ?? 0),
    unread: unread + (before?.unread ?? 0),
  }
  const said = Object.entries(sum).filter(([, count]) => count > 0)
  const leaf = active?.at(-1)
  const brokeOff = before?.brokeOff === true || (earlier !== undefined && before === undefined)
  return {
    skeinExportEnd: skeinExportForm,
    entries: counts.entries,
    ...Object.fromEntries(said),
    ...(told?.withoutTimes === true || before?.withoutTimes === true ? { withoutTimes: true } : {}),
    ...(told?.withoutReasoning === true || before?.withoutReasoning === true
      ? { withoutReasoning: true }
      : {}),
    ...(isRedacted || before?.redacted === true ? { redacted: true } : {}),
    ...(brokeOff ? { brokeOff: true } : {}),
    ...(leaf === undefined ? {} : { leaf }),
  }
}
