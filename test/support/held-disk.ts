import fs from 'node:fs'
import type { Disk, FileStat } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'

/** The real disk, whose files are read once and then held: for tests that read the same few thousands of times. */
export function heldDisk(): {
  readonly disk: Disk /** Reads files anew from here on. */
  forget(): void
} {
  const held = new Map<string, { readonly bytes: Buffer; readonly stat: FileStat }>()
  const disk: Disk = {
    ...nodeDisk,
    async open(path, mode) {
      if (mode !== 'read' || !path.endsWith('.jsonl')) return nodeDisk.open(path, mode)
      const stat = held.has(path) ? undefined : await nodeDisk.stat(path)
      if (stat !== undefined) held.set(path, { bytes: fs.readFileSync(path), stat })
      const file = held.get(path)
      if (file === undefined) return nodeDisk.open(path, mode)
      return {
        read: async (into, position) => file.bytes.copy(into, 0, position),
        write: () => Promise.reject(new Error('open for reading')),
        sync: async () => undefined,
        stat: async () => file.stat,
        close: async () => undefined,
      }
    },
  }
  return { disk, forget: () => held.clear() }
}
