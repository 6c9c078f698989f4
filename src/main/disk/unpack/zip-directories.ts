import { type Disk, DiskError, type DiskFile } from '../interface/disk'
import { stateKey } from './unpack-sizes'
import { isZip, readZipDirectory } from './zip-directory'
import type { ZipMember } from './zip-member'
import { memberPath } from './zip-path'

const mostKept = 8

/** The members of a zip by their paths, in the order of its directory. */
type Members = ReadonlyMap<string, ZipMember>

/** The directories of the zips that were used last, each read once for as long as its zip does not change. */
export class ZipDirectories {
  private readonly kept = new Map<string, Members | undefined>()

  /**
   * The members of a zip; undefined where it is none, or nothing is there.
   *
   * @throws DiskError also where its directory cannot be read whole
   */
  async of(disk: Disk, zip: string): Promise<Members | undefined> {
    const stat = await disk.stat(zip)
    if (stat?.kind !== 'file') return undefined
    const key = stateKey('!', stat)
    if (this.kept.has(key)) {
      const members = this.kept.get(key)
      this.kept.delete(key)
      this.kept.set(key, members)
      return members
    }
    const file = await disk.open(zip, 'read')
    try {
      const members = await membersOf(zip, file)
      this.kept.set(stateKey('!', await file.stat()), members)
      for (const oldest of this.kept.keys()) {
        if (this.kept.size <= mostKept) break
        this.kept.delete(oldest)
      }
      return members
    } finally {
      await file.close()
    }
  }
}

async function membersOf(zip: string, file: DiskFile): Promise<Members | undefined> {
  if (!(await isZip(file))) return undefined
  const { members, fault } = await readZipDirectory(file)
  if (fault !== undefined) throw new DiskError('io', zip, `${zip} cannot be read: ${fault}`)
  return new Map(members.map((member) => [memberPath(member), member]))
}
