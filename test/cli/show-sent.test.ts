import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { showCommand } from '../../src/cli/commands/show'
import type { Entry } from '../../src/shared/model/conversation/entry'
import { preparedHome } from '../main/llm/support/prepared-run'
import { asks, call, content, finish } from '../main/llm/support/tool-support'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)
let home: ReturnType<typeof preparedHome>
let answers: readonly Entry[]
beforeEach(async () => {
  home = preparedHome(temp())
  home.put('prompts/chibi.md', 'You are a \u001b[31mgardener.')
  await home.play([
    asks(call('a', 'update_todos', '{"content":"weed"}')),
    [content('Done.'), finish()],
  ])
  answers = (await home.entriesOf()).filter(({ metadata }) => metadata?.request !== undefined)
})
const shown = (id: string | undefined, ...more: readonly string[]) =>
  run(showCommand, ['garden', '--home', home.home, '--sent', id ?? '', ...more])

it('prints what the model was sent, in words that no terminal obeys', async () => {
  const { out, code } = await shown(answers[1]?.id)
  expect(code).toBe(0)
  expect(out).toMatch(/^From: put together again from the transcript\nExact: yes, by the digest/)
  expect(out).toMatch(
    /Model: some\/model\nSent: not known\nAnswered: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nTokens: /,
  )
  expect(out).toMatch(/\nTools:\n {2}update_todos \(\d+\): Replaces the list/)
  expect(out).toMatch(/\[SYSTEM\] · \d+ tokens\nYou are a \u241b\[31mgardener\./)
  expect(out).toMatch(/\[USER\] · \d+ tokens\nHi\n\n\[ASSISTANT\] · \d+ tokens\n/)
  expect(out).toContain('a update_todos({"content":"weed"})\n\n[TOOL] · of call a · ')
})

it('gives the same as JSON, and says what may be otherwise', async () => {
  home.put('prompts/chibi.md', 'You are a baker.')
  // Else what the last run was told is known by it.
  fs.rmSync(path.join(home.folder, 'context_meta.json'))
  const { out } = await shown(answers[0]?.id, '--json')
  expect(JSON.parse(out)).toMatchObject({
    entryId: answers[0]?.id,
    origin: 'rebuilt',
    match: 'different',
    sentAtMs: null,
    answeredAtMs: (answers[0]?.timestamp ?? 0) * 1000,
    messages: [{ role: 'system' }, { role: 'user', text: 'Hi' }],
  })
  const text = (await shown(answers[0]?.id)).out
  expect(text).toContain('Exact: no, something was otherwise\n')
  expect(text).toContain('\nNote: The system prompt is the current one')
})

it('refuses what it cannot tell', async () => {
  const [person] = (await home.entriesOf()).filter(({ role }) => role === 'user')
  await expect(shown(person?.id)).rejects.toMatchObject({ code: 'bad-argument' })
  await expect(shown('nothing')).rejects.toMatchObject({ code: 'not-found' })
  await expect(shown(answers[0]?.id, '--last', '3')).rejects.toThrow(
    '--sent and --last exclude each other.',
  )
  await expect(shown(answers[0]?.id, '--window')).rejects.toThrow('exclude each other')
  await expect(
    run(showCommand, [
      '7300000',
      '--root',
      `cycod=${fixtures}/branches/cycod-family`,
      '--sent',
      'L1',
    ]),
  ).rejects.toThrow("--sent is for chibi's contexts")
})
