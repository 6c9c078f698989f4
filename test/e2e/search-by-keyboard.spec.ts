import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { goToHits, homeWith, partsOf, smallTalk } from './support/scenes'

it('narrows a search by filters, previews its hits and opens one, by keyboard alone', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden', 40) } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').waitFor()
  await page.keyboard.press('Control+Shift+F')
  const box = page.getByRole('combobox', { name: 'Search conversations' })
  await box.fill('number')
  const hits = page.getByRole('listbox', { name: 'Hits' })
  await hits.getByRole('option').first().waitFor()
  const filters = page.getByRole('region', { name: 'Filters' })
  const speaker = filters.getByRole('group', { name: /^Speaker, all hits counted/ })
  const answers = speaker.getByRole('checkbox', { name: /^Answers, \d+ hits$/ })
  await answers.waitFor()

  await page.keyboard.press('F6')
  const boxes = await filters.getByRole('checkbox').evaluateAll((all) => all.length)
  for (let press = 0; press < boxes; press++) {
    if (await answers.evaluate((one) => one === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Space')
  await expect.poll(() => box.inputValue()).toBe('number role:agent')
  await expect.poll(() => hits.getByRole('option', { name: /^You/ }).count()).toBe(0)
  const count = await answers.evaluate(
    (one) => /\d+/.exec(one.parentElement?.textContent ?? '')?.[0],
  )
  await page.getByText(new RegExp(`^${count} hits in`)).waitFor()

  await page.keyboard.press('Escape')
  await goToHits(page)
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByRole('article').first().waitFor()
  await page.keyboard.press('ArrowLeft')
  await hits.getByRole('option', { name: /^garden.*folded$/ }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await partsOf(page).transcript.getByRole('article').first().waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('article') !== null))
    .toBe(true)
  expect(problems).toEqual([])
})

it('says that nothing is there, and leads on with a word that is', async () => {
  const home = homeWith({ contexts: { orchard: smallTalk('orchard', 12) } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('orchard').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search conversations' }).fill('orchrad')
  await page.getByText(/^Nothing in \d+ segments?, all of them searched/).waitFor()
  await page.getByRole('button', { name: 'orchard', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox', { name: 'Hits' }).getByRole('option').first().waitFor()
  expect(problems).toEqual([])
})
