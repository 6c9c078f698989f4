import { expect, it } from 'vitest'
import { htmlExporter } from '../../../../src/main/exporters/documents/html'
import { pdfExporter } from '../../../../src/main/exporters/documents/pdf'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { entryAt, ledger, readShape, written } from '../../../support/exported'

it('the page of a PDF is that of HTML, with nothing folded and no tag made of a text', async () => {
  const long = Array.from({ length: 50 }, (_, at) => `line ${at} <details>`).join('\n')
  const result = { ...entryAt(1, 'Look.'), entry_type: 'tool_result', content: long, from: 'ls' }
  const shape = () => toExportable(readShape([result]), [ledger()])
  const html = await written(htmlExporter, shape())
  const page = await written(pdfExporter, shape())
  expect(html).toContain('<details><summary>')
  expect(page).not.toContain('<details>')
  expect(page).toBe(html.replaceAll('<details>', '<details open>'))
  expect(page).toContain('line 0 &lt;details&gt;')
})
