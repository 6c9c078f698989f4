import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { Gap } from '../../../shared/model/conversation/reading'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import {
  missingFromExport,
  SkeinExportEnd,
  SkeinExportHead,
} from '../../../shared/model/skein-export'
import type { SourceFact } from '../common/reader'
import type { LineFollower } from '../common/sessions/line-sessions'

/** Makes what follows one reading of an export: it says where the conversation comes from, and what of it is not there or not as written. */
export function followExport(): LineFollower {
  const found: FoundLines = { heads: 0, ends: 0, behind: 0 }
  return {
    accept: (inner) => (value, text, position) => {
      const meaning = inner(value, text, position)
      // What is on a damaged line is told as that.
      if (isJsonObject(value) && typeof meaning !== 'string')
        note(found, value, position === 'line')
      return meaning
    },
    async *follow(facts: AsyncIterable<SourceFact | Gap>) {
      let entries = 0
      let controls = 0
      for await (const fact of facts) {
        if ('type' in fact && fact.type === 'entry') entries += 1
        if ('type' in fact && fact.type === 'control') controls += 1
        yield fact
      }
      const copies = Math.max(0, controls - found.heads - found.ends)
      const { head, end } = found
      for (const notice of exportNotices(head, end, entries)) yield { type: 'notice', notice }
      for (const notice of changedNotices(found, copies)) yield { type: 'notice', notice }
    },
  }
}

/** Lines of an export besides its entries. */
interface FoundLines {
  head?: SkeinExportHead | undefined
  end?: SkeinExportEnd | undefined
  heads: number
  ends: number
  /** Lines of entries behind a last line. */
  behind: number
}

function note(found: FoundLines, value: JsonObject, isLine: boolean): void {
  if ('skeinExport' in value) {
    found.head ??= SkeinExportHead.safeParse(value).data
    if (isLine) found.heads += 1
  } else if ('skeinExportEnd' in value) {
    found.end = SkeinExportEnd.safeParse(value).data ?? found.end
    if (isLine) found.ends += 1
  } else if (found.ends > 0) found.behind += 1
}

/** Says in sentences where an export comes from, and what is not in it. @param entries that were read; undefined where nobody has counted */
export function exportNotices(
  head: SkeinExportHead | undefined,
  end: SkeinExportEnd | undefined,
  entries?: number,
): readonly string[] {
  const from =
    head === undefined
      ? 'The first line of this export cannot be read: it does not say which conversation it is.'
      : `This is an export of “${head.key}” of ${sourceLabel(head.source)}.`
  if (end === undefined) return [from, 'The export breaks off: its last entries may be missing.']
  const missing = missingFromExport(end)
  const lost = end.entries - (entries ?? end.entries)
  const count = (number: number) => countWithNoun(number, 'entry', 'entries')
  return [
    from,
    ...(lost > 0 ? [`${count(lost)} of the export cannot be read.`] : []),
    ...(lost < 0
      ? [`It has ${count(-lost)} more than its last line says: the file was changed.`]
      : []),
    ...(missing.length > 0 ? [`Not in the export: ${missing.join(', ')}.`] : []),
    ...(end.withoutTimes === true ? ['The times of its entries were left out.'] : []),
    ...(end.withoutReasoning === true ? ['The reasoning in its entries was left out.'] : []),
    ...(end.redacted === true ? ['What looked like a secret was replaced in it.'] : []),
    ...(end.brokeOff === true ? ['It was made from an export that broke off.'] : []),
  ]
}

/** Says what Skein does not write so: somebody changed the file, or put several together. */
function changedNotices({ heads, ends, behind }: FoundLines, copies: number): readonly string[] {
  return [
    ...(heads > 1 ? [`It has ${heads} first lines: the first one counts.`] : []),
    ...(ends > 1 ? [`It has ${ends} last lines: the last one counts.`] : []),
    ...(behind > 0
      ? [`${countWithNoun(behind, 'entry stands', 'entries stand')} behind its last line.`]
      : []),
    ...(copies > 0
      ? [
          `${countWithNoun(copies, 'line is', 'lines are')} there more than once, byte for byte: each counts once.`,
        ]
      : []),
  ]
}
