import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { savedPrompt } from '../../src/cli/ask/saved-prompt'
import { parseArguments } from '../../src/cli/command/arguments'
import { askCommand } from '../../src/cli/commands/ask'
import { promptsCommand } from '../../src/cli/commands/homes/prompts'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()

function home(): string {
  const folder = path.join(temp(), 'home')
  fs.mkdirSync(path.join(folder, 'prompts'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'prompts/chibi.md'), 'the system prompt')
  fs.writeFileSync(
    path.join(folder, 'prompts/review.md'),
    'Review {{what}} as {{who:an editor}}, and {{what}} again.\n',
  )
  fs.writeFileSync(path.join(folder, 'prompts/翻訳.md'), '訳して')
  return folder
}

it('skein prompts lists the prompts of a home with their fields, and prints one', async () => {
  const at = ['--home', home()]
  const { out } = await run(promptsCommand, at)
  expect(out).toBe(
    'review  {{what}}  {{who:an editor}}  Review {{what}} as {{who:an editor}}, and {{what}} again.\n翻訳  訳して\n',
  )
  expect((await run(promptsCommand, ['review', ...at])).out).toBe(
    'Review {{what}} as {{who:an editor}}, and {{what}} again.\n',
  )
  const json = await run(promptsCommand, ['/review', '--json', ...at])
  expect(JSON.parse(json.out)).toEqual({
    name: 'review',
    about: 'Review {{what}} as {{who:an editor}}, and {{what}} again.',
    fields: [
      { name: 'what', default: null },
      { name: 'who', default: 'an editor' },
    ],
    problem: null,
    text: 'Review {{what}} as {{who:an editor}}, and {{what}} again.',
  })
})

it('skein prompts finds none of the files that have a meaning, nor what leads out of the home', async () => {
  const at = ['--home', home()]
  for (const name of ['chibi', 'gone', '../config', 'two words'])
    await expect(run(promptsCommand, [name, ...at])).rejects.toMatchObject({ code: 'not-found' })
})

/** The message that `skein ask` would send. */
function message(folder: string, ...argv: string[]) {
  const args = parseArguments(['ask', ...argv], [], { ask: askCommand.flags })
  return savedPrompt(args, nodeDisk, () => folder)
}

it('skein ask --prompt fills the fields, and what is given besides follows', async () => {
  const folder = home()
  expect(await message(folder, '--prompt', 'review', '--field', 'what=a=b {{who}}')).toBe(
    'Review a=b {{who}} as an editor, and a=b {{who}} again.',
  )
  expect(await message(folder, '--prompt', '/翻訳', 'good', 'morning')).toBe(
    '訳して\n\ngood morning',
  )
  expect(await message(folder, 'Hello')).toBe(undefined)
})

it('skein ask --prompt says which prompt or field is not there, and which one has no value', async () => {
  const folder = home()
  const words = (...argv: string[]) =>
    message(folder, ...argv).then(
      () => 'sent',
      (error: Error) => error.message,
    )
  expect(await words('--prompt', 'gone')).toBe(
    'There is no prompt "gone"; "skein prompts" lists them.',
  )
  expect(await words('--prompt', 'review')).toBe('The prompt "review" asks for --field "what=…".')
  expect(await words('--prompt', 'review', '--field', 'wat=x')).toBe(
    'The prompt "review" has no field "wat".',
  )
  expect(await words('--field', 'what=x')).toBe('--field belongs to --prompt.')
  expect(await words('--prompt', 'review', '--field', 'what')).toBe(
    '--field is NAME=VALUE, not "what".',
  )
})

it('skein ask --prompt sends no prompt without text, and none with too many fields', async () => {
  const folder = home()
  const words = (name: string, text: string, ...more: string[]) => {
    fs.writeFileSync(path.join(folder, `prompts/${name}.md`), text)
    return message(folder, '--prompt', name, ...more).catch((error: Error) => error.message)
  }
  expect(await words('empty', ' \n', 'more')).toBe(
    'The prompt "empty" cannot be sent: It has no text.',
  )
  expect(await words('blank', '{{what}}', '--field', 'what= ')).toBe(
    'The prompt "blank" has no text with these fields, and is not sent.',
  )
  const many = Array.from({ length: 51 }, (_, at) => `{{f${at}:x}}`).join(' ')
  expect(await words('many', many)).toBe(
    'The prompt "many" cannot be sent: It has more than 50 fields.',
  )
})
