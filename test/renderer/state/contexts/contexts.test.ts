import { describe, expect, it } from 'vitest'
import { noteKey } from '../../../../src/renderer/state/contexts/notes'
import { isRunActive } from '../../../../src/renderer/state/run/completion'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { openWindow } from '../support/open-window'

const garden = LibraryKey.parse('garden')
const kitchen = LibraryKey.parse('kitchen')

const png = {
  name: 'a.png',
  bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
}

async function windowOf() {
  const { home, stores, actions } = await openWindow()
  return { home, stores, actions, contexts: () => stores.contexts.getState() }
}

describe('a context that is renamed', () => {
  it('is listed under its new name alone, and takes what is being written along', async () => {
    const { stores, contexts } = await windowOf()
    stores.drafts.getState().set(garden, { text: 'half a thought' })
    contexts().ask('rename', garden)
    expect(await contexts().rename('allotment')).toBe(true)
    await quiet()
    expect(stores.library.getState().conversations.map(({ key }) => key)).toEqual([
      'allotment',
      'kitchen',
    ])
    expect(stores.drafts.getState().get('allotment').text).toBe('half a thought')
    expect(stores.drafts.getState().get('garden').text).toBe('')
    expect(contexts().renamed).toEqual({ from: 'garden', to: 'allotment' })
    expect(contexts().question).toBe(undefined)
  })

  it('takes the images along that are attached, with words and without', async () => {
    const { stores, contexts } = await windowOf()
    const images = () =>
      Object.entries(stores.drafts.getState().attached).map(([place, all]) => [place, all.length])
    stores.drafts.getState().attach(garden, [png])
    contexts().ask('rename', garden)
    expect(await contexts().rename('allotment')).toBe(true)
    await quiet()
    expect(images()).toEqual([['allotment', 1]])
    stores.drafts.getState().set('allotment', { text: 'see' })
    contexts().ask('rename', LibraryKey.parse('allotment'))
    expect(await contexts().rename('orchard')).toBe(true)
    await quiet()
    expect(images()).toEqual([['orchard', 1]])
    expect(stores.drafts.getState().get('orchard').text).toBe('see')
  })

  it('stays as it is where that is refused, and the question says why', async () => {
    const { home, contexts } = await windowOf()
    contexts().ask('rename', garden)
    home.refuse(new AppError('locked', 'garden is in use by chibi.'))
    expect(await contexts().rename('allotment')).toBe(false)
    expect(contexts().question).toEqual({ type: 'rename', key: garden })
    expect(contexts().failure?.message).toBe('garden is in use by chibi.')
    contexts().leave()
    expect(contexts().failure).toBe(undefined)
  })
})

it('images for a context that is removed do not wait for the next one of its name', async () => {
  const { stores, contexts } = await windowOf()
  stores.drafts.getState().attach(garden, [png])
  contexts().ask('destroy', garden)
  expect(await contexts().destroy()).toBe(true)
  await quiet()
  expect(stores.drafts.getState().attached).toEqual({})
})

it('images that are attached stay when the home that is open is opened again', async () => {
  const { stores, actions } = await windowOf()
  stores.drafts.getState().attach(garden, [png])
  await actions.openHome('choose')
  expect(stores.drafts.getState().attached[garden]).toHaveLength(1)
})

it('an act that is asked for twice is done once', async () => {
  const { home, contexts } = await windowOf()
  contexts().ask('destroy', garden)
  const [first, second] = await Promise.all([contexts().destroy(), contexts().destroy()])
  expect([first, second]).toEqual([true, false])
  expect(home.api.calls.filter(({ channel }) => channel === 'contexts.destroy')).toHaveLength(1)
  expect(contexts().destroyed).toEqual({ key: 'garden', title: 'garden' })
})

it('what is archived is known from the beginning, and an empty shelf is left', async () => {
  const { contexts } = await windowOf()
  expect(await contexts().setArchived(garden, true)).toBe(true)
  expect([...contexts().archived]).toEqual(['garden'])
  contexts().showArchived(true)
  expect(await contexts().setArchived(garden, false)).toBe(true)
  expect(contexts().showsArchived).toBe(false)
})

it('going to another conversation stops no run, and both go on', async () => {
  const { home, stores, actions } = await windowOf()
  await actions.send(garden, 'one')
  actions.openConversation(kitchen)
  await actions.send(kitchen, 'two')
  actions.openConversation(garden)
  await quiet()
  const { runs } = stores.completion.getState()
  expect([isRunActive(runs[garden]), isRunActive(runs[kitchen])]).toEqual([true, true])
  expect(home.api.calls.filter(({ channel }) => channel === 'completion.cancel')).toEqual([])
})

describe('notes', () => {
  it('are told as they change, of the context that is followed alone', async () => {
    const { home, stores } = await windowOf()
    await stores.notes.getState().follow(garden)
    home.wholes.writeNotes('garden', { todos: '- [ ] prune' })
    home.wholes.writeNotes('kitchen', { todos: '- [ ] stir' })
    expect(stores.notes.getState().notes).toEqual({
      key: 'garden',
      todos: '- [ ] prune',
      goals: null,
    })
  })

  it("are not written over somebody else's", async () => {
    const { home, stores } = await windowOf()
    const notes = () => stores.notes.getState()
    await notes().follow(garden)
    home.wholes.writeNotes('garden', { goals: 'theirs' })
    expect(await notes().save('goals', 'mine', null)).toBe(false)
    expect(notes().refusals.goals?.code).toBe('busy')
    expect(home.wholes.notesOf('garden').goals).toBe('theirs')
    expect(await notes().save('goals', 'mine', 'theirs')).toBe(true)
    expect(notes().refusals).toEqual({})
    expect(notes().notes?.goals).toBe('mine')
  })

  it('that are being written wait for whoever comes back, under the name of their context', async () => {
    const { stores, contexts } = await windowOf()
    const notes = () => stores.notes.getState()
    await notes().follow(garden)
    notes().edit('goals', { text: 'half a goal', before: null })
    await notes().follow(kitchen)
    notes().edit('todos', { text: '- [ ] stir', before: null })
    expect(await notes().save('todos', '- [ ] stir', null)).toBe(true)
    contexts().ask('rename', garden)
    await contexts().rename('allotment')
    await quiet()
    const allotment = LibraryKey.parse('allotment')
    expect(notes().edits).toEqual({
      [noteKey(allotment, 'goals')]: { text: 'half a goal', before: null },
    })
    contexts().ask('destroy', allotment)
    await contexts().destroy()
    await quiet()
    expect(notes().edits).toEqual({})
  })
})

describe('the command that continues a conversation in its own program', () => {
  const session = LibraryKey.parse('claude-code:0199aaaa')

  it('is copied, and shown until the next menu', async () => {
    const { contexts } = await windowOf()
    const copied: string[] = []
    const write = async (text: string) => void copied.push(text)
    expect(await contexts().copyCommand(session, write)).toBe(true)
    expect(copied).toEqual(['cd /srv/garden && claude --resume 0199aaaa'])
    expect(contexts().copied).toBe(copied[0])
    contexts().openMenu(session, 0, 0)
    expect(contexts().copied).toBeUndefined()
  })

  it('is not said to be copied where the system refuses the clipboard', async () => {
    const { contexts } = await windowOf()
    const refused = () => Promise.reject(new AppError('denied', 'No clipboard.'))
    expect(await contexts().copyCommand(session, refused)).toBe(false)
    expect(contexts()).toMatchObject({ copied: undefined, failure: { message: 'No clipboard.' } })
  })
})
