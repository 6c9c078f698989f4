import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { usePalette, useStores } from '../../state/context'
import { focusSoon } from '../../ui/behaviour/focus'
import { KeyHint } from '../../ui/controls/Button'
import { optionId, PickerField } from '../../ui/controls/PickerField'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { PaletteOption } from './PaletteOption'
import { type FoundGroup, findItems, type PaletteGroup, type PaletteItem } from './palette-items'
import { usePaletteGroups } from './use-palette-groups'

/** Field that finds items of the palette, and the list of them; the focus stays in it while arrows move through the list. */
export function PaletteField(props: {
  readonly pickModel: () => void
  readonly onChoose: (item: PaletteItem) => void
}) {
  const { pickModel, onChoose } = props
  const searchEverything = useSearchItem()
  const [query, setQuery] = useState('')
  const [cursor, setCursor] = useState(0)
  const recent = usePalette((state) => state.recent)
  const shownQuery = useDeferredValue(query)
  // This is drawn once before the focus comes into the palette.
  const [turn] = useState(() => document.activeElement?.closest('[data-item]') ?? null)
  const all = usePaletteGroups(turn, pickModel)
  const find = (wanted: string): readonly FoundGroup[] =>
    wanted.trim() === ''
      ? offeredAtFirst(all, recent)
      : [...findItems(all, wanted), { name: 'Search', items: [searchEverything(wanted)], more: 0 }]
  // biome-ignore lint/correctness/useExhaustiveDependencies: `find` reads these alone
  const groups = useMemo(() => find(shownQuery), [all, recent, shownQuery])
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups])
  const here = Math.min(cursor, items.length - 1)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: with other items another option is at the cursor
  useEffect(() => {
    const option = list.current?.querySelector('[aria-selected="true"]')
    // With the first option its group's name is seen.
    if (here === 0) list.current?.scrollTo({ top: 0 })
    else option?.scrollIntoView({ block: 'nearest' })
  }, [here, items])

  /** Chooses by the typed query: the drawn options may be a letter behind it. */
  function chooseHere(): void {
    const now = query === shownQuery ? items : find(query).flatMap((group) => group.items)
    const item = now[Math.min(cursor, now.length - 1)]
    if (item !== undefined) onChoose(item)
  }

  let at = 0
  const found = items.length - (shownQuery.trim() === '' ? 0 : 1)
  const more = groups.reduce((sum, group) => sum + group.more, 0)
  return (
    <>
      <PickerField
        icon={Search}
        label="Find a command, conversation or setting"
        placeholder="Command, conversation, tag or setting"
        list={id}
        count={items.length}
        here={here}
        value={query}
        onType={(value) => {
          setQuery(value)
          setCursor(0)
        }}
        onMove={setCursor}
        onEnter={chooseHere}
      />
      <div
        className="picker-list palette-list"
        ref={list}
        role="listbox"
        id={id}
        aria-label="Found"
      >
        {groups.map(({ name, items: ofGroup, more: left }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
          <div key={name} role="group" aria-label={name}>
            <div className="palette-head micro" aria-hidden="true">
              {name}
            </div>
            {ofGroup.map((item) => {
              const place = at++
              return (
                <PaletteOption
                  key={item.id}
                  id={optionId(id, place)}
                  item={item}
                  query={shownQuery}
                  isHere={place === here}
                  onChoose={() => onChoose(item)}
                />
              )
            })}
            {left > 0 && (
              <div className="palette-more t3 micro" aria-hidden="true">
                {formatCount(left)} more: type to narrow
              </div>
            )}
          </div>
        ))}
      </div>
      <div className="palette-foot t3 small">
        <span role="status" className="grow">
          {shownQuery.trim() === ''
            ? 'Type a part of a name.'
            : found === 0
              ? 'Nothing has these words in its name. Enter searches all conversations.'
              : formatQuantity(found + more, 'result')}
        </span>
        <KeyHint keys={['↑', '↓']} /> <span>choose</span>
        <KeyHint keys={['Enter']} /> <span>run</span>
        <KeyHint keys={['Esc']} /> <span>close</span>
      </div>
    </>
  )
}

/** Items that are offered before anything is typed: what was chosen last, then everything but the long lists. */
function offeredAtFirst(
  all: readonly PaletteGroup[],
  recent: readonly string[],
): readonly FoundGroup[] {
  const byId = new Map(all.flatMap(({ items }) => items.map((item) => [item.id, item])))
  const last = recent.flatMap((id) => byId.get(id) ?? [])
  const isLast = new Set(last.map(({ id }) => id))
  return [
    { name: 'Chosen last', items: last },
    ...all.map(({ name, items }) => ({
      name,
      items: (name === 'Conversations' ? items.slice(0, mostAtFirst) : items).filter(
        ({ id }) => !isLast.has(id),
      ),
    })),
  ]
    .filter(({ items }) => items.length > 0)
    .map((group) => ({ ...group, more: 0 }))
}

/** How many conversations are offered before anything is typed. */
const mostAtFirst = 5

/** Returns what makes the item that searches the contents of all conversations. */
function useSearchItem(): (query: string) => PaletteItem {
  const { app, layout, search } = useStores()
  return (query) => ({
    id: 'search',
    name: `Search everything for “${query.trim()}”`,
    icon: Search,
    isOfQuery: true,
    run: () => {
      app.getState().closeSettings()
      layout.getState().closeOverlay()
      search.getState().open('query')
      search.getState().setText(query.trim())
      focusSoon('search')
    },
  })
}
