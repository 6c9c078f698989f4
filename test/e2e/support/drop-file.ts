import type { Page } from 'playwright-core'

/** Drops a file on the window: one that a person picked has its path, as a dropped one has. */
export async function dropFile(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'dropped'
    document.body.append(input)
  })
  await page.locator('#dropped').setInputFiles(file)
  await page.evaluate(() => {
    const input = document.getElementById('dropped') as HTMLInputElement
    const dataTransfer = new DataTransfer()
    for (const file of input.files ?? []) dataTransfer.items.add(file)
    input.remove()
    const init = { dataTransfer, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new DragEvent('drop', init))
  })
}
