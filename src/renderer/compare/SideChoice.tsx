import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { ComparePoint } from '../../shared/model/comparison/comparison-view'
import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import { leavesOf } from '../../shared/model/family/family'
import { useBranches, useCompare, useLibraryState } from '../state/context'
import { focusTarget } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { rowForKey } from '../ui/behaviour/list-keys'
import { Icon } from '../ui/controls/Icon'
import { SourceMark } from '../ui/controls/SourceMark'
import { LiveRegion } from '../ui/notes/LiveRegion'

/** Conversation to compare with. */
interface Choice {
  readonly point: ComparePoint
  readonly source: string
  readonly title: string
  readonly note: string
}

/** Most choices in the list: who wants another one filters. */
const mostShown = 100

/** Asks what to compare a conversation with: branches of its family first, then all conversations. */
export function SideChoice(props: { readonly left: ComparePoint }) {
  const { left } = props
  const choose = useCompare((state) => state.choose)
  const [filter, setFilter] = useState('')
  const [cursor, setCursor] = useState(0)
  const id = useId()
  const choices = useChoices(left, filter)
  const here = Math.min(cursor, choices.length - 1)

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.altKey || event.metaKey) return
    const chosen = choices[here]
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      void choose(chosen.point)
      return
    }
    const list = { count: choices.length, here, pageRows: 10, isInField: true }
    const target = rowForKey(event.key, list)
    if (target === undefined) return
    event.preventDefault()
    setCursor(target)
    document.getElementById(`${id}${target}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className="compare-choice">
      <label className="field">
        <Icon of={Search} />
        <input
          type="search"
          role="combobox"
          aria-label="Compare with"
          aria-expanded="true"
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={choices.length === 0 ? undefined : `${id}${here}`}
          placeholder="Compare with…"
          value={filter}
          onChange={(event) => {
            setFilter(event.target.value)
            setCursor(0)
          }}
          onKeyDown={onKeyDown}
          {...focusTarget('compare')}
        />
      </label>
      <div className="compare-choices" role="listbox" id={`${id}list`} aria-label="Conversations">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys for all of its options
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names its active option
          <div
            key={choice.point.key}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === here}
            className={`compare-option ${index === here ? 'cursor' : ''}`}
            onClick={() => void choose(choice.point)}
          >
            <SourceMark source={choice.source} />
            <span className="cut grow">{visibleText(choice.title)}</span>
            <span className="t3 small">{choice.note}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && (
        <p className="t3 small">No other conversation has this in its title.</p>
      )}
      <LiveRegion>
        {choices.length === 0 ? 'No other conversation has this in its title.' : ''}
      </LiveRegion>
    </div>
  )
}

function useChoices(left: ComparePoint, filter: string): readonly Choice[] {
  const conversations = useLibraryState((state) => state.conversations)
  const family = useBranches((state) => (state.key === left.key ? state.view?.family : undefined))
  return useMemo(() => {
    const branches = (family === undefined ? [] : leavesOf(family)).flatMap((node): Choice[] => {
      const key = libraryKeyOf(node.source, node.key)
      const isLeft = node.keys.some((own) => libraryKeyOf(node.source, own) === left.key)
      const title = node.title === '' ? node.key : node.title
      return isLeft ? [] : [{ point: { key }, source: node.source, title, note: 'branch' }]
    })
    const known = new Set<LibraryKey>([left.key, ...branches.map(({ point }) => point.key)])
    const others = conversations.flatMap(({ key, source, title, gone }): Choice[] =>
      known.has(key) || gone ? [] : [{ point: { key }, source, title, note: '' }],
    )
    const wanted = filter.trim().toLowerCase()
    return [...branches, ...others]
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .slice(0, mostShown)
  }, [conversations, family, left.key, filter])
}
