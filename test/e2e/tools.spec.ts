import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, callTool, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

const folder = tempFolders()

it.each([
  ['Allow once', 'Allow in This Folder', 'Written as you wished.', 'new words\n', 'once'],
  ['Allow once', 'Don’t Write', 'Then not.', 'old words\n', 'denied'],
  ['Deny', undefined, 'Then not.', 'old words\n', 'denied'],
])(
  'asks before a tool writes, shows what it would change, and obeys: %s, %s',
  async (button, pressed, last, content, consent) => {
    const place = folder()
    const file = path.join(place, 'plan.md')
    fs.writeFileSync(file, 'old words\n')
    const baseUrl = await endpoint((response, { messages }) => {
      beginStream(response)
      const results = messages.filter(({ role }) => role === 'tool').map((one) => one.content)
      if (results.length === 0) {
        callTool(response, 'write_file', { path: file, content: 'new words\n' })
        return
      }
      sendText(response, results[0]?.startsWith('Error') ? 'Then not.' : 'Written as you wished.')
      endStream(response)
    })
    const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
    fs.appendFileSync(
      path.join(home, 'config.toml'),
      `file_tools_allowed_paths = [${JSON.stringify(place)}]\n`,
    )
    const { page, problems, dialogs } = await launchSkein({ home })
    if (pressed !== undefined) await dialogs.press(pressed)
    await partsOf(page).conversation('garden').click()
    await say(page, 'Write the plan anew.')

    const card = page.getByRole('region', { name: 'Approval' })
    await card.getByText('new words').waitFor()
    await card.getByText('old words').waitFor()
    expect(fs.readFileSync(file, 'utf8')).toBe('old words\n')
    await card.getByRole('button', { name: button }).click()
    await partsOf(page).transcript.getByText(last).waitFor()

    expect(fs.readFileSync(file, 'utf8')).toBe(content)
    await card.waitFor({ state: 'detached' })
    const said = () => activeEntries(home, 'garden').slice(2)
    // The answer is shown while it comes, and is durable when it has come.
    await expect
      .poll(() => said().map(({ entry_type }) => entry_type))
      .toEqual(['message', 'tool_call', 'tool_result', 'message'])
    expect(said()[2]?.metadata).toMatchObject({ consent })
    expect((await dialogs.asked()).map(({ message }) => message)).toEqual(
      pressed === undefined ? [] : [`Let “garden” change files in “${fs.realpathSync(place)}”?`],
    )
    expect(problems).toEqual([])
  },
)
