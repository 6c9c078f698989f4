import { expect, it } from 'vitest'
import { exporterOf } from '../../../src/main/exporters/index'
import { ExportFormat, exportFormats } from '../../../src/shared/model/export'

it('each format has an exporter of its own name, and its place in the table that the dialog shows', () => {
  const formats = ExportFormat.options
  expect(formats.map((format) => exporterOf(format).id)).toEqual(formats)
  expect(Object.keys(exportFormats)).toEqual(formats)
})
