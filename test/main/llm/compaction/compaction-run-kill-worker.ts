import { realRun } from '../support/real-run'
import { steps, toldDisk } from '../support/watched-disk'

/** What it is started with. */
export type KilledRunArguments = readonly [home: string, url: string, text: string]

/**
 * A run that makes room in its window, in a process of its own, which a test kills: tells each change of the disk before
 * it is made and each event, as a line, and goes on when it reads a byte.
 */
async function main(): Promise<void> {
  const [home = '', url = '', text = ''] = process.argv.slice(2)
  const step = steps()
  await realRun({
    home,
    url,
    text,
    maxEntries: 6,
    disk: toldDisk(step),
    each: (event) => step(`event ${JSON.stringify(event)}`),
  })
  process.exit(0)
}

void main()
