import { Entry } from '../../../shared/model/conversation/entry'
import { SkeinExportEnd, SkeinExportHead } from '../../../shared/model/skein-export'
import { type KnownFormat, knownObject } from '../known/known-format'

/** Members of the first line that are not looked at: they are written again as they stand. */
const headMembers = ['storedTitle', 'updated', 'models', 'parent', 'formerKeys', 'subagentOf']

/** Table of what the reader knows of the lines of an export. */
export const skeinFormat: KnownFormat = {
  proved: '1',
  versionOf: ({ skeinExport }) => skeinExport,
  record: knownObject([
    ...Object.keys(Entry.shape),
    ...Object.keys(SkeinExportHead.shape),
    ...Object.keys(SkeinExportEnd.shape),
    ...headMembers,
  ]),
}
