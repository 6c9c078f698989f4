import { expect, it } from 'vitest'
import { exporterOf } from '../../../src/main/exporters/index'
import { countLosses } from '../../../src/main/exporters/losses'
import { toExportable } from '../../../src/main/exporters/parts/exporter'
import { ExportFormat } from '../../../src/shared/model/export'
import { entryAt, readShape } from '../../support/exported'

it('counts the color of a conversation where the format has no place for it, and only there', async () => {
  const { signal } = new AbortController()
  const shape = { ...readShape([entryAt(1)]), color: 'green' as const }
  for (const format of ExportFormat.options) {
    const { losses } = await countLosses(
      exporterOf(format),
      toExportable(shape, []),
      { branches: 'active' },
      signal,
    )
    const told = losses.filter(({ kind }) => kind === 'color').map(({ sentence }) => sentence)
    const hasColor = format === 'json' || format === 'jsonl'
    expect([format, told]).toEqual([format, hasColor ? [] : ['1 color is left out.']])
  }
})
