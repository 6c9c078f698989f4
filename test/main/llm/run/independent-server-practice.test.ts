import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Practice } from '../../../../src/main/practice/launch'
import { checkHome } from '../../../support/chibi-checker/home'
import { startPracticeForTests } from '../../../support/practice'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { outline, type RealRunOptions, realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
let practice: Practice
beforeAll(async () => {
  practice = await startPracticeForTests()
})
afterAll(() => practice.close())

/** The practice model refuses what a strict provider would; nobody may find a fault in the home afterwards. */
async function ask(home: string, text: string, more: Partial<RealRunOptions> = {}) {
  const ran = await realRun({ home, text, url: practice.url, ...more })
  expect(checkHome(home)).toEqual([])
  return ran
}

/** Of what stalls, it does not matter when; nothing else may be taken for it, however busy the machine is. */
const limitsOf = (text: string) =>
  text.startsWith('/stall')
    ? { firstByteMs: 200, silenceMs: 200 }
    : { firstByteMs: 300_000, silenceMs: 300_000, answerBytes: 200_000 }

it.each<[text: string, outcome: 'complete' | 'failed', kind?: string]>([
  ['A word. /fast', 'complete'],
  ['/reason /code /fast', 'complete'],
  ['/long 30 /fast', 'complete'],
  ['/retry 2', 'complete'],
  ...[400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529].map(
    (status): [string, 'failed'] => [`/fail ${status}`, 'failed'],
  ),
  ['/fail context', 'failed', 'too-long'],
  ['/fail html', 'failed'],
  ['/fail page', 'failed', 'not-an-api'],
  ['/fail stream', 'failed'],
  ['/stall', 'failed', 'stalled'],
  ['/stall 5', 'failed', 'stalled'],
  ['/cut', 'failed', 'cut'],
  ['/cut 6\n/tool update_todos {"content":"a"}', 'failed', 'cut'],
  ['/garbage', 'failed', 'cut'],
  ['/flood', 'failed', 'too-much'],
  ['/empty', 'failed'],
  ['/again\n/tool update_todos {"content":"a"}', 'failed', 'out-of-fuel'],
  ['/tool update_todos {"content":"a"}\n/tool nothing\n/tool update_goals 5', 'complete'],
  ['/silent\n/tool call_user {"message":"Which one?"}', 'complete'],
])('leaves a home by the rules after %j', async (text, outcome, kind) => {
  const home = temp()
  const { end } = await ask(home, text, { limits: limitsOf(text) })
  expect(end).toMatchObject(kind === undefined ? { outcome } : { outcome, failure: { kind } })
  expect((await ask(home, 'go on /fast')).end).toEqual({ type: 'ended', outcome: 'complete' })
})

it('holds everything of a long conversation in one home', async () => {
  const home = temp()
  const work = temp()
  await ask(home, 'A shed. /fast', { context: 'shed' })
  for (const text of [
    'Parallel.\n/tool update_todos {"content":"- [ ] beds"}\n/tool write_file {"path":"plan.md","content":"Water."}\n/tool send_message {"to":"shed","content":"Rain."}',
    '/again 3\n/tool file_head {"path":"plan.md"}\n/tool update_reflection {"content":"Rain is good."}',
    '/silent\n/tool call_user {"message":"Which?"}',
    '/fail 500',
    'The end. /fast',
  ])
    await ask(home, text, { work, maxEntries: 4, limits: limitsOf(text) })
  expect(fs.readFileSync(path.join(work, 'plan.md'), 'utf8')).toBe('Water.')
  const { entries } = await ask(home, 'More. /fast', { work, maxEntries: 4 })
  expect(outline(entries)).toEqual(['message', 'message'])
})
