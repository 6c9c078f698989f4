import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { createPerson, launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const folder = tempFolders()

function chat(...texts: readonly string[]): string {
  return texts
    .map((content, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

it("lists other systems' conversations beside the home's, follows them, and remembers them", async () => {
  const history = path.join(folder(), 'history')
  fs.mkdirSync(history)
  const file = (n: number) => path.join(history, `chat-history-175443700000${n}.jsonl`)
  fs.writeFileSync(file(1), chat('How deep do tulips go?', 'Fifteen centimetres.'))
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const args = ['--root', `cycod=${history}`]

  const first = await launchSkein({ home, args, person })
  const parts = partsOf(first.page)
  await parts.conversation('garden').waitFor()
  await parts.conversation('How deep do tulips go?').waitFor()
  fs.writeFileSync(file(2), chat('Just begun'))
  await parts.conversation('Just begun').waitFor()
  fs.rmSync(file(1))
  // Nothing of it is left on the disk, and it is not hidden.
  await parts.conversation('How deep do tulips go? missing from disk').waitFor()
  expect(first.problems).toEqual([])
  await first.close()

  const caches = path.join(person.folder, '.cache', 'skein', 'library')
  const [kept = ''] = fs.readdirSync(caches)
  expect(fs.readFileSync(path.join(caches, kept), 'utf8')).toContain('Just begun')

  const second = await launchSkein({ home, args, person })
  await partsOf(second.page).conversation('Just begun').waitFor()
  expect(second.problems).toEqual([])
})

it('reads nothing but the home that was named where no root is', async () => {
  const person = createPerson()
  const history = path.join(person.folder, '.cycod', 'history')
  fs.mkdirSync(history, { recursive: true })
  fs.writeFileSync(path.join(history, 'chat-history-1.jsonl'), chat('Elsewhere'))
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })

  const { page, problems } = await launchSkein({ home, person })
  await partsOf(page).conversation('garden').waitFor()

  await expect.poll(() => partsOf(page).conversation('Elsewhere').count()).toBe(0)
  expect(problems).toEqual([])
})
