import fs from 'node:fs'
import type { Disk, DiskFile } from '../../../src/main/disk/disk'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { systemClock } from '../../../src/main/llm/clock'
import { compactContext } from '../../../src/main/llm/compaction/manual'
import { openAiStream } from '../../../src/main/llm/openai'
import { environmentVault } from '../../../src/main/settings/key-vault'
import { openSettings } from '../../../src/main/settings/settings'
import { openStore } from '../../../src/main/store/open-store'
import { noHooks } from '../../../src/main/tools/hooks'

/** What it is started with. */
export type KilledCompactionArguments = readonly [
  home: string,
  url: string,
  mode: 'full' | 'rolling' | 'drop',
]

/**
 * A compaction in a process of its own, which a test kills: tells each change of the disk as a line on stdout before it is
 * made, and makes it when it reads a byte.
 */
async function main(): Promise<void> {
  const [home, url, mode] = process.argv.slice(2) as unknown as KilledCompactionArguments
  let free = 0
  let wake = () => {}
  process.stdin.on('data', (bytes) => {
    free += bytes.length
    wake()
  })
  async function step(words: string): Promise<void> {
    fs.writeSync(1, `${words}\n`)
    while (free === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    free--
  }
  const disk = toldDisk(step)
  const settings = openSettings({
    disk,
    home,
    folder: `${home}/none`,
    vault: environmentVault,
    environment: {},
  })
  const steps = compactContext(
    { context: 'garden', mode, run: { baseUrl: url, model: 'some/model' } },
    {
      disk,
      store: openStore({ home, disk }),
      endpoint: (context, run) => settings.endpoint(context, run),
      runSettings: (context, run) => settings.runSettings(context, run),
      provider: ({ baseUrl }) => openAiStream({ baseUrl: baseUrl.value, apiKey: undefined }),
      clock: systemClock,
      hooks: noHooks,
      note: (words) => process.stderr.write(`${words}\n`),
    },
    new AbortController().signal,
  )
  let next = await steps.next()
  while (!next.done) next = await steps.next()
  process.exit(next.value.type === 'compacted' ? 0 : 1)
}

function toldDisk(step: (words: string) => Promise<void>): Disk {
  const file = (path: string, opened: DiskFile): DiskFile => ({
    read: (into, position) => opened.read(into, position),
    stat: () => opened.stat(),
    close: () => opened.close(),
    async write(bytes) {
      await step(`write ${path}`)
      return opened.write(bytes)
    },
    async sync() {
      await step(`sync ${path}`)
      return opened.sync()
    },
  })
  return {
    ...nodeDisk,
    async open(path, mode) {
      if (mode !== 'read') await step(`open ${path}`)
      return file(path, await nodeDisk.open(path, mode))
    },
    async rename(from, to) {
      await step(`rename ${to}`)
      return nodeDisk.rename(from, to)
    },
    async link(from, to) {
      await step(`link ${to}`)
      return nodeDisk.link(from, to)
    },
    async unlink(path) {
      await step(`unlink ${path}`)
      return nodeDisk.unlink(path)
    },
  }
}

void main()
