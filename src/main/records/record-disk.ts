import { type Disk, DiskError } from '../disk/interface/disk'
import { parseRecordPath, type RecordFormat, type RecordPlace } from './interface/record-format'

/**
 * Wraps a disk so that record files can be opened and looked at like files of lines. All other paths are the disk's, also
 * one that looks like a record file's and lies in a real folder.
 */
export function recordDisk(disk: Disk, formats: readonly RecordFormat[]): Disk {
  const known = new Map(formats.map((format) => [format.id, format]))

  /** Undefined for a path of the disk's own. */
  const recordsAt = async (
    target: string,
  ): Promise<(RecordPlace & { readonly by: RecordFormat }) | undefined> => {
    const place = parseRecordPath(target)
    const by = place === undefined ? undefined : known.get(place.format)
    if (place === undefined || by === undefined) return undefined
    // Below a real folder there may be a real file of that name.
    const { kind } = (await disk.stat(place.container)) ?? {}
    return kind === 'directory' ? undefined : { ...place, by }
  }

  return {
    ...disk,
    async stat(target) {
      const records = await recordsAt(target)
      if (records === undefined) return disk.stat(target)
      return records.by.stat(disk, records.container, records.name)
    },
    async open(target, mode, permissions) {
      const records = await recordsAt(target)
      if (records === undefined) return disk.open(target, mode, permissions)
      if (mode !== 'read') throw new DiskError('denied', target, `${target} can only be read`)
      return records.by.open(disk, records.container, records.name)
    },
  }
}
