import path from 'node:path'
import type { SavedOutputs } from '../../../shared/model/conversation/tool-results'
import { parseRecordPath } from '../../records/interface/record-format'
import { storedFormat } from './rows/stored-records'

/** The program's folder for outputs that are too long for a message; all sessions have it together. */
export const opencodeOutputsFolder = 'tool-output'

/** The rules by which OpenCode and Kilo save outputs: beside the database. */
export const opencodeOutputs: SavedOutputs = {
  mark: 'truncated',
  folderOf(file) {
    const place = parseRecordPath(file)
    if (place === undefined) return undefined
    const folder = path.dirname(place.container)
    if (place.format !== storedFormat) return { base: folder, below: opencodeOutputsFolder }
    // storage/session/PROJECT/SESSION.json
    const storage = path.dirname(path.dirname(folder))
    if (path.basename(storage) !== 'storage') return undefined
    return { base: path.dirname(storage), below: opencodeOutputsFolder }
  },
}
