import { Box } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import {
  findItems,
  markedRanges,
  type PaletteItem,
} from '../../../../src/renderer/app-window/palette/palette-items'

const item = (name: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id: name,
  name,
  icon: Box,
  run: () => undefined,
  ...more,
})
const groups = [
  {
    name: 'Commands',
    items: [
      item('Map of branches', { words: 'tree' }),
      item('Compare with…'),
      item('Branch here'),
      item('Export…', { words: 'save as markdown' }),
    ],
  },
  {
    name: 'Conversations',
    items: [
      item('Brandenburg timetable', { hint: 'trains · Codex' }),
      item('Celebration e-mail'),
      item('厨房を片付ける'),
      item('Ärger mit İstanbul'),
    ],
  },
]
const found = (query: string) =>
  findItems(groups, query).map(({ name, items }) => [name, ...items.map((one) => one.name)])

describe('items of the palette', () => {
  it('are found by any part of their names, in any case; what begins with it comes first', () => {
    expect(found('BRA')).toEqual([
      ['Commands', 'Branch here', 'Map of branches'],
      ['Conversations', 'Brandenburg timetable', 'Celebration e-mail'],
    ])
  })

  it('have the group with the best of them first', () => {
    expect(found('brand')).toEqual([['Conversations', 'Brandenburg timetable']])
    expect(found('ca')).toEqual([])
    expect(found('ma')).toEqual([
      ['Commands', 'Map of branches'],
      ['Conversations', 'Celebration e-mail'],
    ])
    expect(found('e')[0]?.[0]).toBe('Commands')
    expect(found('cel')[0]).toEqual(['Conversations', 'Celebration e-mail'])
  })

  it('need every word, in any order, also of where they belong and of what else they are called', () => {
    expect(found('timetable codex')).toEqual([['Conversations', 'Brandenburg timetable']])
    expect(found('markdown')).toEqual([['Commands', 'Export…']])
    expect(found('tree map')).toEqual([['Commands', 'Map of branches']])
    expect(found('map kettle')).toEqual([])
    // Two letters would find half of everything.
    expect(found('tr')).toEqual([])
  })

  it('are found in every script', () => {
    expect(found('片付')).toEqual([['Conversations', '厨房を片付ける']])
    expect(found('istanbul ÄRGER')).toEqual([['Conversations', 'Ärger mit İstanbul']])
  })

  it('are counted where a group has more than it lists', () => {
    const many = Array.from({ length: 100 }, (_, at) => item(`Kettle ${at}`))
    const [group] = findItems([{ name: 'Conversations', items: many }], 'kettle')
    expect(group?.items).toHaveLength(30)
    expect(group?.more).toBe(70)
    expect(group?.items[0]?.name).toBe('Kettle 0')
  })
})

describe('the typed words in a name', () => {
  const marked = (name: string, query: string) =>
    markedRanges(name, query).map(([start, end]) => name.slice(start, end))

  it('are marked where they stand, each once and none inside of another', () => {
    expect(marked('Map of branches', 'BRA map')).toEqual(['Map', 'bra'])
    expect(marked('aaaa', 'aa a')).toEqual(['aa'])
    expect(marked('Ärger mit İstanbul', 'istan')).toEqual(['İstan'])
    expect(marked('Export…', 'markdown')).toEqual([])
    expect(marked('Export…', '  ')).toEqual([])
  })
})
