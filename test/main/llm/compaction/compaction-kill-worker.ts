import { compactContext } from '../../../../src/main/llm/compaction/manual'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { systemClock } from '../../../../src/main/llm/timing/clock'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { openStore } from '../../../../src/main/store/open-store'
import { noHooks } from '../../../../src/main/tools/hooks/hooks'
import { steps as stepsOf, toldDisk } from '../support/watched-disk'

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
  const disk = toldDisk(stepsOf())
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

void main()
