import { isJsonObject } from '../../../shared/model/basics/json-object'
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

/** Makes what follows one reading of an export: it says where the conversation comes from, and what of it is not there. */
export function followExport(): LineFollower {
  let head: SkeinExportHead | undefined
  let end: SkeinExportEnd | undefined
  return {
    accept: (inner) => (value, text, position) => {
      if (isJsonObject(value)) {
        if ('skeinExport' in value) head ??= SkeinExportHead.safeParse(value).data
        if ('skeinExportEnd' in value) end = SkeinExportEnd.safeParse(value).data ?? end
      }
      return inner(value, text, position)
    },
    async *follow(facts: AsyncIterable<SourceFact | Gap>) {
      let entries = 0
      for await (const fact of facts) {
        if ('type' in fact && fact.type === 'entry') entries += 1
        yield fact
      }
      for (const notice of exportNotices(head, end, entries)) yield { type: 'notice', notice }
    },
  }
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
  return [
    from,
    ...(lost > 0
      ? [`${countWithNoun(lost, 'entry', 'entries')} of the export cannot be read.`]
      : []),
    ...(missing.length > 0 ? [`Not in the export: ${missing.join(', ')}.`] : []),
    ...(end.redacted === true ? ['What looked like a secret was replaced in it.'] : []),
    ...(end.brokeOff === true ? ['It was made from an export that broke off.'] : []),
  ]
}
