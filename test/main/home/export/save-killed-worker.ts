import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { saveInNewFolders } from '../../../../src/main/home/export/save-export'
import { faultyDisk } from '../../../support/faulty-disk'

/** Arguments of the process: the file, its lines, and the change of the disk at which it is killed. */
export type KilledSaveArguments = readonly [file: string, text: string, killedAt: string]

/** Writes a session into a program's folder, in a process of its own that is killed at one change of the disk; 0 for none. */
async function main(): Promise<void> {
  const [file = '', text = '', killedAt = '0'] = process.argv.slice(2)
  async function* pieces(): AsyncGenerator<string> {
    for (const line of text.split('\n')) yield `${line.repeat(2000)}\n`
  }
  const disk = faultyDisk(nodeDisk, { at: Number(killedAt), fault: 'kill' })
  await saveInNewFolders(disk, file, pieces(), { roots: [], files: [] })
}

void main()
