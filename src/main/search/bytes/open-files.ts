import type { Disk, DiskFile } from '../../disk/interface/disk'

/** Kept open at once; the one that was used longest ago is closed for another. */
const mostOpen = 16

/** Files that a scan reads from again and again, kept open until its end. */
export class OpenFiles {
  private readonly disk: Disk
  /** In the order of their use. */
  private readonly opened = new Map<string, DiskFile>()

  constructor(disk: Disk) {
    this.disk = disk
  }

  /** Opens a file, or gives the one that is open; undefined where another one is at its path now. @throws DiskError */
  async open(path: string, identity: string): Promise<DiskFile | undefined> {
    const name = `${identity} ${path}`
    const known = this.opened.get(name)
    if (known !== undefined) {
      this.opened.delete(name)
      this.opened.set(name, known)
      return known
    }
    const file = await this.disk.open(path, 'read')
    let isKept = false
    try {
      if ((await file.stat()).identity !== identity) return undefined
      this.opened.set(name, file)
      isKept = true
    } finally {
      if (!isKept) await file.close()
    }
    for (const [oldest, other] of this.opened) {
      if (this.opened.size <= mostOpen) break
      this.opened.delete(oldest)
      await other.close()
    }
    return file
  }

  /** Closes all of them. */
  async close(): Promise<void> {
    const all = [...this.opened.values()]
    this.opened.clear()
    for (const file of all) await file.close()
  }
}
