import fs from 'node:fs'
import path from 'node:path'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openPreparation, type PreparationDeps } from '../../../../src/main/llm/run/prepare'
import { run } from '../../../../src/main/llm/run/run'
import type { AskConsent } from '../../../../src/main/llm/steps/consent'
import { secret } from '../../../../src/main/settings/base/secret'
import type { RunSettings } from '../../../../src/main/settings/config/run-settings'
import type { Endpoint } from '../../../../src/main/settings/endpoint/endpoint'
import { openStore } from '../../../../src/main/store/open-store'
import type { GivenTextFile } from '../../../../src/shared/model/attachments/text-files'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import type { GivenImage } from '../../../../src/shared/model/conversation/images'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { type ScriptStep, scriptedProvider } from '../../../support/scripted-provider'
import { manualClock } from './tool-support'

const ofTest = { origin: 'default', where: 'test' } as const
const key = 'sk-or-v1-0123456789abcdef'

export const preparedSettings: RunSettings = {
  noToolCalls: false,
  fuel: 30,
  allowedPaths: [],
  allows: () => true,
  api: {},
  apiAsked: new Set(),
  fuelEmptyResponseCost: 15,
  fallbackTool: 'call_user',
  toolOutputCacheThreshold: 4000,
  toolCachePreviewChars: 500,
  reflectionEnabled: true,
  reflectionCharacterLimit: 10_000,
  contextWindowLimit: 0,
  warnThresholdPercent: 80,
  autoCompact: false,
  autoCompactThreshold: 80,
  rollingCompactDropPercentage: 50,
}

interface PreparedPlay {
  /** null: the model is asked again from the window as it stands. */
  readonly text?: string | null
  readonly images?: readonly GivenImage[]
  readonly files?: readonly GivenTextFile[]
  /** `garden` where it is absent. */
  readonly context?: string
  readonly settings?: Partial<RunSettings>
  readonly username?: string
  readonly deps?: Partial<PreparationDeps>
  readonly consent?: AskConsent
  readonly disk?: Disk
  /** Leaves the run at this event, as a killed program does. */
  readonly leaveAt?: number
  /** Host and port of who is asked. */
  readonly server?: string
}

/** A home with the context `garden`, in which prepared runs are played over scripts. */
export function preparedHome(root: string) {
  const home = path.join(root, 'home')
  const folder = path.join(home, 'contexts', 'garden')
  const notes: string[] = []
  let ids = 0
  const put = (name: string, text: string | Uint8Array) => {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    fs.writeFileSync(path.join(home, name), text)
  }
  put('contexts/garden/todos.md', '')
  const entriesOf = async (name = 'garden'): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    for await (const row of requireWhole(
      (await openStore({ home, disk: nodeDisk }).readWhole(name)).rows,
    ))
      if (row.type === 'entry') entries.push(row.entry)
    return entries
  }
  async function play(scripts: readonly (readonly ScriptStep[])[], options: PreparedPlay = {}) {
    const disk = options.disk ?? nodeDisk
    const store = openStore({ home, disk })
    const provider = scriptedProvider(...scripts)
    const preparation = openPreparation({
      disk,
      store,
      runSettings: async () => ({ ...preparedSettings, ...options.settings }),
      note: (words) => void notes.push(words),
      now: () => 1_700_000_000_000,
      ...options.deps,
    })
    const endpoint: Endpoint = {
      provider: 'endpoint',
      model: { value: 'some/model', ...ofTest },
      baseUrl: { value: `https://${options.server ?? 'openrouter.ai/api'}/v1`, ...ofTest },
      username: { value: options.username ?? 'user', ...ofTest },
      apiKey: { value: secret(key), ...ofTest },
      faults: [],
    }
    const events: RunEvent[] = []
    const { context = 'garden' } = options
    const writer = await store.openWriter(context, { create: false })
    try {
      const { text = 'Hi', images, files } = options
      const request = { context, text: text ?? undefined, images, files, endpoint }
      const { input, deps } = await preparation.prepare(request)
      const newId = () =>
        EntryId.parse(`00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`)
      const clock = manualClock()
      const whole = { ...deps, writer, provider: provider.stream, clock, newId }
      const { signal } = new AbortController()
      for await (const event of run(input, { ...whole, consent: options.consent }, signal)) {
        events.push(event)
        if (events.length - 1 === options.leaveAt) break
      }
    } finally {
      await writer.close()
    }
    return { events, requests: provider.requests, isWhole: events.at(-1)?.type === 'ended' }
  }
  const create = async (name: string) => {
    const writer = await openStore({ home, disk: nodeDisk }).openWriter(name, { create: true })
    await writer.close()
  }
  const text = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8')
  return { home, folder, put, create, text, play, entriesOf, notes, key }
}
