import fs from 'node:fs'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { faultyDisk } from '../../../support/faulty-disk'
import { realRun } from '../support/real-run'

/** What it is started with. */
export type KilledRunArguments = readonly [
  home: string,
  work: string,
  url: string,
  text: string,
  /** The call that would change the disk at which it is killed, from 1; 0 for none. */
  killedAt: string,
]

/**
 * A run in a process of its own, which a test kills: tells each event as a line on stdout, and goes on when it reads a
 * byte. `work` is the folder of the file tools.
 */
async function main(): Promise<void> {
  const [home = '', work = '', url = '', text = '', killedAt = '0'] = process.argv.slice(2)
  let free = 0
  let wake = () => {}
  process.stdin.on('data', (bytes) => {
    free += bytes.length
    wake()
  })
  await realRun({
    home,
    work,
    url,
    text,
    maxEntries: 6,
    disk: faultyDisk(nodeDisk, { at: Number(killedAt), fault: 'kill' }),
    async each(event) {
      // Synchronous: what was told is on the pipe when the process dies.
      fs.writeSync(1, `${JSON.stringify(event)}\n`)
      while (free === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      free--
    },
  })
  process.exit(0)
}

void main()
