import { describe, expect, it, vi } from 'vitest'
import { createLayoutStore, isPaneOpen } from '../../../../src/renderer/state/app/layout'
import { browserStorage } from '../../../../src/renderer/state/base/storage'
import { createDraftsStore } from '../../../../src/renderer/state/run/drafts'
import { onePoint } from '../../../support/images'
import { keptInMap } from '../support/map-storage'

describe('drafts', () => {
  it('come back in a new window, one for each place', () => {
    const kept = keptInMap()
    const { getState } = createDraftsStore(kept)
    getState().set('garden', { text: 'half a thought' })
    getState().set(' new', { text: 'first' })
    const later = createDraftsStore(kept).getState()
    expect([later.get('garden'), later.get(' new'), later.get('kitchen')]).toEqual([
      { text: 'half a thought' },
      { text: 'first' },
      { text: '' },
    ])
  })

  it('that are cleared leave nothing behind', () => {
    const kept = keptInMap()
    const { getState } = createDraftsStore(kept)
    getState().set('garden', { text: 'sent' })
    getState().clear('garden')
    expect([getState().get('garden'), kept.values.size]).toEqual([{ text: '' }, 0])
  })

  it('of another home are others', () => {
    const { getState } = createDraftsStore(keptInMap())
    getState().enter('/one')
    getState().set('garden', { text: 'of one' })
    getState().enter('/two')
    expect(getState().get('garden').text).toBe('')
    getState().enter('/one')
    expect(getState().get('garden').text).toBe('of one')
  })

  it('that the storage refuses live on in the window, and it is known', () => {
    const { getState } = createDraftsStore(keptInMap({ isFull: true }))
    getState().set('garden', { text: 'very long' })
    expect([getState().get('garden').text, getState().notKept.garden]).toEqual(['very long', true])
  })

  it.each(['nonsense', '4', 'null', '{"text":7}'])('read %s as an empty one', (value) => {
    const kept = keptInMap()
    kept.set('skein.draft::garden', value)
    expect(createDraftsStore(kept).getState().get('garden')).toEqual({ text: '' })
  })
})

describe('panes', () => {
  it('keep their widths, within their bounds, and whether they are open', () => {
    const kept = keptInMap()
    const { getState } = createLayoutStore(kept)
    getState().setWidth('library', 400.4)
    getState().setWidth('details', 9000)
    getState().toggle('details')
    const later = createLayoutStore(kept).getState()
    expect([later.widths, later.isDocked]).toEqual([
      { library: 400, details: 480 },
      { library: true, details: false },
    ])
  })

  it('keep what the library is grouped by: the date, unless another was chosen that is still known', () => {
    const kept = keptInMap()
    const { getState } = createLayoutStore(kept)
    expect(getState().grouping).toBe('date')
    getState().setGrouping('project')
    getState().setWidth('library', 400)
    const later = createLayoutStore(kept).getState()
    expect([later.grouping, later.widths.library]).toEqual(['project', 400])
    for (const other of ['"colour"', '7', 'null', '["date"]']) {
      kept.set('skein.layout', `{"widths":{"library":300},"grouping":${other}}`)
      const { grouping, widths } = createLayoutStore(kept).getState()
      expect([grouping, widths.library]).toEqual(['date', 300])
    }
  })

  it('lie over the transcript in a narrow window, the right one first, and are called up one by one', () => {
    const { getState } = createLayoutStore(keptInMap())
    const open = () => [isPaneOpen(getState(), 'library'), isPaneOpen(getState(), 'details')]
    getState().setWindowWidth(1440, 1)
    expect(open()).toEqual([true, true])
    getState().setWindowWidth(1000, 1)
    expect(open()).toEqual([true, false])
    getState().setWindowWidth(1440, 2)
    expect(open()).toEqual([false, false])
    getState().toggle('library')
    expect(open()).toEqual([true, false])
    getState().toggle('details')
    expect(open()).toEqual([false, true])
    getState().closeOverlay()
    getState().setWindowWidth(1440, 1)
    expect(open()).toEqual([true, true])
  })

  it('start as usual where what was kept is no layout of ours', () => {
    const kept = keptInMap()
    kept.set('skein.layout', '{"widths":')
    expect(createLayoutStore(kept).getState().widths).toEqual({ library: 320, details: 320 })
  })
})

it('a storage that throws keeps nothing and fails nothing', () => {
  const refuse = () => {
    throw new Error('switched off')
  }
  const kept = browserStorage({
    getItem: refuse,
    setItem: refuse,
    removeItem: refuse,
  } as unknown as Storage)
  kept.remove('a')
  expect([kept.get('a'), kept.set('a', 'b')]).toEqual([undefined, false])
})

describe('images of a draft', () => {
  const image = (name: string) => ({ name, bytes: onePoint })

  it('go with the text when it is cleared, and stay with their own conversation', () => {
    const { getState } = createDraftsStore(keptInMap())
    getState().attach('garden', [image('a.png'), image('b.png')])
    getState().attach('shed', [image('c.png')])
    getState().detach('garden', getState().attached.garden?.[0]?.id ?? '')
    expect(getState().attached.garden?.map(({ name }) => name)).toEqual(['b.png'])
    getState().set('garden', { text: 'words' })
    getState().clear('garden')
    expect(getState().attached.garden).toBeUndefined()
    expect(getState().attached.shed).toHaveLength(1)
    getState().enter('/another/home')
    expect(getState().attached).toEqual({})
  })

  it('are taken as far as a message takes them, with words for the first that it does not', () => {
    const { getState } = createDraftsStore(keptInMap())
    const text = { name: 'notes.txt', bytes: new TextEncoder().encode('no\0text') }
    getState().attach('garden', [image('a.png'), text, image('b.png')])
    expect(getState().attached.garden).toHaveLength(2)
    expect(getState().attachFaults.garden).toMatch(/^"notes\.txt" is no PNG/)
    getState().attach('garden', Array(9).fill(image('c.png')))
    expect(getState().attached.garden).toHaveLength(10)
    expect(getState().attachFaults.garden).toMatch(/takes 10 images at most/)
    getState().dismissAttachFault('garden')
    expect(getState().attachFaults).toEqual({})
  })
})

describe('text files of a draft', () => {
  const encode = (text: string) => new TextEncoder().encode(text)
  const notes = { name: 'notes.txt', bytes: encode('Rain: 3 mm\n') }

  it('are kept over a reload with the bytes that were given, and go with the text', () => {
    const kept = keptInMap()
    const { getState } = createDraftsStore(kept)
    getState().attach('garden', [notes, { name: 'a.png', bytes: onePoint }])
    expect(getState().attached.garden).toHaveLength(1)
    const again = createDraftsStore(kept).getState()
    expect(again.textsAt('garden').map(({ name, bytes }) => [name, [...bytes]])).toEqual([
      ['notes.txt', [...notes.bytes]],
    ])
    expect(again.textsAt('garden')[0]?.frame).toBe('File "notes.txt":\n\n```txt\nRain: 3 mm\n```')
    getState().move('garden', 'shed')
    expect(createDraftsStore(kept).getState().textsAt('shed')).toHaveLength(1)
    getState().clear('shed')
    expect(createDraftsStore(kept).getState().textsAt('shed')).toEqual([])
    expect(createDraftsStore(kept).getState().textsAt('garden')).toEqual([])
  })

  it('are each decoded once, however many stand before them', () => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    const kept = keptInMap()
    createDraftsStore(kept).getState().attach('garden', Array(20).fill(notes))
    expect(createDraftsStore(kept).getState().textsAt('garden')).toHaveLength(20)
    expect(decode).toHaveBeenCalledTimes(40)
    decode.mockRestore()
  })

  it('are taken as far as a message takes them, and taken away one by one', () => {
    const { getState } = createDraftsStore(keptInMap())
    getState().attach('garden', Array(21).fill(notes))
    expect(getState().textsAt('garden')).toHaveLength(20)
    expect(getState().attachFaults.garden).toMatch(/takes 20 text files at most/)
    getState().attach('garden', [{ name: 'big.log', bytes: new Uint8Array(1024 * 1024 + 1) }])
    expect(getState().attachFaults.garden).toMatch(/^"big\.log" .*larger than the 1 MB/)
    getState().detach('garden', getState().textsAt('garden')[3]?.id ?? '')
    expect(getState().textsAt('garden')).toHaveLength(19)
  })

  it('that the browser does not keep are said', () => {
    const { getState } = createDraftsStore(keptInMap({ isFull: true }))
    getState().attach('garden', [notes])
    expect(getState().textsAt('garden')).toHaveLength(1)
    expect(getState().filesNotKept.garden).toBe(true)
  })

  it('that the browser does not keep are said while they are there, whatever is typed, and no longer', () => {
    const kept = keptInMap()
    const set = kept.set
    const storage = {
      ...kept,
      set: (name: string, value: string) => value.length < 100_000 && set(name, value),
    }
    const { getState } = createDraftsStore(storage)
    getState().attach('garden', [{ name: 'long.txt', bytes: encode('x'.repeat(100_000)) }])
    getState().set('garden', { text: 'a' })
    const said = () => [getState().notKept.garden, getState().filesNotKept.garden]
    expect(said()).toEqual([false, true])
    getState().detach('garden', getState().textsAt('garden')[0]?.id ?? '')
    expect(said()).toEqual([false, false])
  })
})
