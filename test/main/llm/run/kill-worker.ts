import fs from 'node:fs'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { faultyDisk } from '../../../support/faulty-disk'
import { realRun } from '../support/real-run'

/** What it is started with. */
export type KilledRunArguments = readonly [
  home: string,
  work: string,
  url: string,
  text: string,
  /** The call that would change the disk at which it is killed, from 1; 0 for none. Else a part of the name that a file is about to get. */
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
    disk: /^\d+$/.test(killedAt)
      ? faultyDisk(nodeDisk, { at: Number(killedAt), fault: 'kill' })
      : dyingAtLink(killedAt),
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

/** Ends the process as SIGKILL does, right before a file gets a second name with this in it. */
function dyingAtLink(part: string): Disk {
  return {
    ...nodeDisk,
    async link(from, to) {
      if (to.includes(part)) process.kill(process.pid, 'SIGKILL')
      await nodeDisk.link(from, to)
    },
  }
}

void main()
