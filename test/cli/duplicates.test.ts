import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { duplicatesCommand } from '../../src/cli/commands/duplicates'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const say = (role: string, content: string) => JSON.stringify({ role, content })

/** A folder of cycod files with these messages, begun one second after another. */
function history(files: Readonly<Record<string, readonly string[]>>) {
  const root = folder()
  const names = new Map<string, string>()
  Object.entries(files).forEach(([name, lines], n) => {
    const key = `chat-history-${1_754_437_000_000 + n * 1000}`
    fs.writeFileSync(path.join(root, `${key}.jsonl`), lines.join('\n'))
    names.set(key, name)
  })
  return { argv: ['--root', `cycod=${root}`], name: (one: { key: string }) => names.get(one.key) }
}

async function report(argv: readonly string[], now?: string) {
  const { out } = await run(
    duplicatesCommand,
    [...argv, '--json'],
    now === undefined ? {} : { now },
  )
  return JSON.parse(out)
}

it('reports what is equal word for word, what begins a longer one, and what is empty', async () => {
  const talk = [say('system', 'You help.'), say('user', 'hello'), say('assistant', 'hi')]
  const { argv, name } = history({
    talk,
    copy: ['{"_meta":{"title":"A copy"}}', ...talk],
    // The same roles and lengths, other words.
    other: [say('system', 'You help.'), say('user', 'hallo'), say('assistant', 'ho')],
    longest: [...talk, say('user', 'and?'), say('assistant', 'so')],
    longer: [...talk, say('user', 'and?')],
    silent: [say('system', 'You help.')],
    void: [],
  })
  const { equal, contained, empty, old } = await report(argv)

  expect(
    equal.map((group: { conversations: { key: string }[] }) => group.conversations.map(name)),
  ).toEqual([['talk', 'copy']])
  expect(
    contained.map((one: { conversation: { key: string }; in: { key: string } }) => [
      name(one.conversation),
      name(one.in),
    ]),
  ).toEqual([
    ['talk', 'longer'],
    ['copy', 'longer'],
    ['longer', 'longest'],
  ])
  expect(empty.map(name)).toEqual(['silent', 'void'])
  expect(old).toBeUndefined()
})

it('finds in the cycod family exactly the files whose messages begin another file', async () => {
  const history = `${fixtures}/branches/cycod-family/history`
  const texts = fs.readdirSync(history).map((file) => {
    const lines = fs
      .readFileSync(path.join(history, file), 'utf8')
      .replace(/^\ufeff/, '')
      .split('\n')
    return {
      key: file.replace('.jsonl', ''),
      text: lines.filter((line) => !line.startsWith('{"_meta"')).join('\n'),
    }
  })
  const begins = texts.filter(({ key, text }) =>
    texts.some((other) => other.key !== key && other.text.startsWith(`${text}\n`)),
  )
  const { contained, equal } = await report(['--root', `cycod=${fixtures}/branches/cycod-family`])
  expect(contained.map((one: { conversation: { key: string } }) => one.conversation.key)).toEqual(
    begins.map(({ key }) => key),
  )
  expect(equal).toEqual([])
})

it('lists what was not changed for so long only where that is asked for', async () => {
  const home = ['--home', `${fixtures}/chibi/home-v09`]
  const old = async (days: string, now: string) =>
    (await report([...home, '--older-than', days], now)).old.length
  expect(await old('30', '2026-02-10T00:00:00Z')).toBe(0)
  expect(await old('30', '2026-04-01T00:00:00Z')).toBe(5)
})

it('reports in words, and changes no file', async () => {
  const { argv } = history({ one: [say('user', 'hello')], two: [say('user', 'hello')] })
  const root = argv[1]?.replace('cycod=', '') ?? ''
  const before = fs.readdirSync(root).map((name) => fs.statSync(path.join(root, name)).mtimeMs)
  const { out } = await run(duplicatesCommand, argv)
  expect(out).toMatch(
    /^Equal from the first message to the last: 1\n {2}hello \(cycod:chat-history-1754437000000\), 1 entries/,
  )
  expect(out).toContain('The beginning of a longer one: none')
  expect(fs.readdirSync(root).map((name) => fs.statSync(path.join(root, name)).mtimeMs)).toEqual(
    before,
  )
})

it.each([
  [['key'], '"skein duplicates" takes no KEY.'],
  [['--older-than', 'long'], '--older-than needs a whole number, not "long".'],
])('refuses %j in words', async (argv, words) => {
  await expect(run(duplicatesCommand, argv)).rejects.toThrow(words)
})
