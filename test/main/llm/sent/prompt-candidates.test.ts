import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { ProviderRequest } from '../../../../src/main/llm/chat/provider'
import { openSentReader } from '../../../../src/main/llm/sent/sent-reader'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { openStore } from '../../../../src/main/store/open-store'
import type { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'
import { scriptedHooks } from '../../../support/scripted-hooks'
import type { ScriptStep } from '../../../support/scripted-provider'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { asks, call, content, finish } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
let home: ReturnType<typeof preparedHome>
beforeEach(() => {
  home = preparedHome(temp())
})
const answer: readonly ScriptStep[] = [content('Done.'), finish()]

function reader() {
  const settings = openSettings({
    disk: nodeDisk,
    home: home.home,
    folder: path.join(home.home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  return openSentReader({
    disk: nodeDisk,
    home: home.home,
    runSettings: (context) => settings.runSettings(context),
    endpoint: (context) => settings.endpoint(context),
  })
}
/** The system message that the provider got. */
const systemIn = (request: ProviderRequest | undefined) => {
  const first = request?.messages[0]
  return first?.role === 'system' ? first.content : undefined
}
const answers = async () =>
  (await home.entriesOf()).filter(({ metadata }) => metadata?.request !== undefined)
const lastAnswer = async () => (await answers()).at(-1) as Entry

it('is exact where the files of the home say the same as then, whatever is among them', async () => {
  home.put('prompts/chibi.md', 'The prompt of the home.')
  home.put('prompts/reflection.md', 'I like beans.')
  home.put('AGENTS.md', 'Use tabs.\n')
  home.put('contexts/garden/summary.md', 'We sowed.')
  home.put('contexts/garden/goals.md', 'A harvest.')
  home.put('contexts/garden/todos.md', '- water')
  for (const username of ['user', 'mira']) {
    const { requests } = await home.play([answer], { username })
    const sent = await reader().of('garden', (await lastAnswer()).id)
    expect(sent.match).toBe('exact')
    expect(sent.messages[0]?.text).toBe(systemIn(requests[0]))
    expect(sent.messages[0]?.text).toContain('We sowed.')
  }
})

it('has what plugins put into the last prompt, and says of an older one that it is kept nowhere', async () => {
  const hooks = (words: string) =>
    scriptedHooks({
      pre_system_prompt: { a: { inject: `${words} first` } },
      post_system_prompt: { a: { inject: `${words} last` } },
    })
  home.put('prompts/chibi.md', 'The prompt of the home.')
  await home.play([answer], { deps: { hooks: hooks('old') } })
  const old = await lastAnswer()
  const { requests } = await home.play([answer], { deps: { hooks: hooks('new') } })
  const sent = await reader().of('garden', (await lastAnswer()).id)
  expect(sent).toMatchObject({ match: 'exact', notes: [] })
  expect(sent.messages[0]?.text).toBe(systemIn(requests[0]))
  expect(sent.messages[0]?.text).toMatch(/^new first[\s\S]*new last$/)
  const before = await reader().of('garden', old.id)
  expect(before.match).toBe('different')
  expect(before.notes).toContain(
    'Changes by plugins to the prompt or the request are not recorded.',
  )
})

it('is different where a plugin changed the request itself', async () => {
  const hooks = scriptedHooks({
    pre_api_request: {
      a: { request_body: { messages: [{ role: 'user', content: 'Something else.' }] } },
    },
  })
  const { requests } = await home.play([answer], { deps: { hooks } })
  expect(requests[0]?.messages).toEqual([{ role: 'user', content: 'Something else.' }])
  expect(await reader().of('garden', (await lastAnswer()).id)).toMatchObject({
    match: 'different',
    messages: [expect.objectContaining({ role: 'user', text: 'Hi' })],
  })
})

it('has the notes as they were when the turn began, not as the turn wrote them', async () => {
  home.put('prompts/chibi.md', 'The prompt.')
  const { requests } = await home.play([
    asks(call('a', 'update_todos', '{"content":"first list"}')),
    asks(call('b', 'update_todos', '{"content":"second list"}')),
    answer,
  ])
  const third = asks(call('c', 'update_todos', '{"content":"third list"}'))
  const next = await home.play([third, answer], { text: 'What now?' })
  const last = await home.play([answer], { text: 'And then?' })
  const all = await answers()
  expect(all).toHaveLength(6)
  const got = [...requests, ...next.requests, ...last.requests].map(systemIn)
  for (const [index, { id }] of all.entries()) {
    const sent = await reader().of('garden', id)
    expect([sent.match, sent.messages[0]?.text]).toEqual(['exact', got[index]])
  }
  expect(got[2]).not.toContain('list')
  expect(got[3]).toContain('second list')
  expect(got[4]).toContain('second list')
  expect(got[5]).toContain('third list')
})

it('follows a request through a compaction in the middle of its turn', async () => {
  const settings = {
    contextWindowLimit: 6000,
    autoCompact: true,
    autoCompactThreshold: 70,
    noToolCalls: true,
  }
  const long = (n: number) => `${n} ${'water the beds '.repeat(150)}`
  const seen: ProviderRequest[] = []
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const scripts = [[content(`answer ${n}`), finish()], answer, answer]
    const { requests } = await home.play(scripts, { text: long(n), settings })
    // The last one of a run is the answer's; those before it choose and condense.
    seen.push(requests.at(-1) as ProviderRequest)
  }
  const anchors = (await home.entriesOf()).filter(({ entry_type: type }) => type === 'compaction')
  expect(anchors.length).toBeGreaterThan(0)
  const all = await answers()
  expect(all).toHaveLength(seen.length)
  for (const [index, { id }] of all.entries()) {
    const { match, messages } = await reader().of('garden', id)
    expect(match).toBe('exact')
    expect(messages.map(({ text }) => text)).toEqual(
      seen[index]?.messages.map((one) => ('content' in one ? one.content : undefined)),
    )
  }
})

it('says of an answer that a branch has copied where it was asked', async () => {
  await home.play([answer])
  const original = (await home.entriesOf()).filter(({ entry_type: type }) => type === 'message')
  const anchor = {
    ...message('Context created', { from: 'system', to: 'twig', entry_type: 'context_created' }),
    role: undefined,
    metadata: {
      origin: { source: 'chibi', key: 'garden', entry: original.at(-1)?.id, entries: 2 },
    },
  }
  const folder = path.join(home.home, 'contexts/twig/transcript')
  fs.mkdirSync(folder, { recursive: true })
  const put = (entries: readonly object[]) =>
    fs.writeFileSync(
      path.join(folder, 'active.jsonl'),
      entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    )
  const id = original.at(-1)?.id as EntryId
  put([anchor, ...original])
  // The same request, put together from the copies.
  expect(await reader().of('twig', id)).toMatchObject({ match: 'exact', notes: [] })
  put([anchor, { ...original[0], content: 'Ho' }, original[1] ?? {}])
  const sent = await reader().of('twig', id)
  expect(sent.match).toBe('different')
  expect(sent.notes.join(' ')).toContain('copied from another conversation')
  put([anchor, original[0] ?? {}, { ...original[1], metadata: { model: 'm', adopted: {} } }])
  await expect(reader().of('twig', id)).rejects.toMatchObject({ code: 'bad-argument' })
})

it("takes chibi's calls for answers, a run of them for one", async () => {
  const writer = await openStore({ home: home.home, disk: nodeDisk }).openWriter('garden', {
    create: false,
  })
  const made = (type: string, name: string, callId: string) =>
    message('{}', {
      entry_type: type,
      tool_call_id: callId,
      ...(type.endsWith('call') ? { from: 'garden', to: name } : { from: name, to: 'garden' }),
      role: undefined,
    })
  const steps = [
    message('look'),
    made('tool_call', 'read', '1'),
    made('tool_call', 'grep', '2'),
    made('tool_result', 'read', '1'),
    made('tool_result', 'grep', '2'),
    made('tool_call', 'read', '3'),
    made('tool_result', 'read', '3'),
    made('flow_control_call', 'call_user', '4'),
    made('flow_control_result', 'call_user', '4'),
    message('thanks'),
    message('welcome', { from: 'garden', to: 'user', role: 'agent' }),
  ]
  for (const step of steps) await writer.append(step)
  await writer.close()
  const isAnswer = await Promise.all(
    steps.map(({ id }) =>
      reader()
        .of('garden', id)
        .then(
          ({ match }) => match,
          ({ code }) => code,
        ),
    ),
  )
  const none = 'bad-argument'
  expect(isAnswer).toEqual([
    none,
    'unknown',
    ...[none, none, none],
    'unknown',
    none,
    'unknown',
    ...[none, none],
    'unknown',
  ])
  const around = await reader().around('garden', steps[5]?.id as EntryId)
  expect(around).toMatchObject({
    previous: { entryId: steps[1]?.id, words: 'read {}' },
    next: { entryId: steps[7]?.id },
  })
})
