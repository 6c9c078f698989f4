import {
  ArrowDown,
  ArrowUp,
  CaseSensitive,
  type LucideIcon,
  Regex,
  Search,
  WholeWord,
  X,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { type FindAnswer, mostHighlights } from '../../../shared/model/find/find'
import { useActions, useFind, useStores } from '../../state/context'
import {
  closeFind,
  type FindOption,
  findNow,
  matchNumber,
  stepFind,
} from '../../state/search-state'
import { focusOn, focusTarget } from '../../ui/behaviour/focus'
import { isComposing } from '../../ui/behaviour/keys'
import { IconButton } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { LiveRegion } from '../../ui/notes/LiveRegion'

/** Pause of typing after which finding begins, in ms. */
const typingPauseMs = 100
/** Pause after a change of the conversation: an answer that is written changes it often. In ms. */
const changePauseMs = 300

const options = [
  { option: 'matchesCase', label: 'Match case', icon: CaseSensitive },
  { option: 'wantsWholeWords', label: 'Whole words', icon: WholeWord },
  { option: 'isRegex', label: 'Regular expression', icon: Regex },
] as const satisfies readonly {
  readonly option: FindOption
  readonly label: string
  readonly icon: LucideIcon
}[]

/** Bar over the transcript: finds words in the open conversation. */
export function FindBar() {
  const isOpen = useFind((state) => state.isOpen)
  return isOpen ? <OpenFindBar /> : null
}

function OpenFindBar() {
  const stores = useStores()
  const actions = useActions()
  const { find } = stores
  const wanted = useFind((state) => state.wanted)
  const opens = useFind((state) => state.opens)
  const changes = useFind((state) => state.changes)
  const hasMatches = useFind(({ answer }) => answer !== undefined && answer.total > 0)
  const isWrong = useFind(
    ({ answer, asked, wanted: now }) => asked === now && answer?.fault != null,
  )
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (opens > 0) field.current?.select()
  }, [opens])
  useEffect(() => {
    if (wanted.text === '' || find.getState().asked === wanted) return
    const timer = setTimeout(() => void findNow(stores, actions), typingPauseMs)
    return () => clearTimeout(timer)
  }, [wanted, find, stores, actions])
  useEffect(() => {
    if (changes === 0) return
    const timer = setTimeout(() => void find.getState().askAgain(), changePauseMs)
    return () => clearTimeout(timer)
  }, [changes, find])

  const step = (by: 1 | -1) => void stepFind(stores, actions, by)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }

  async function close(): Promise<void> {
    if (!(await closeFind(stores, actions))) focusOn('transcript')
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the older runtime does not know the element
    <div className="find-bar" role="search" aria-label="Find in conversation">
      <div className={`field find-field ${isWrong ? 'bad' : ''}`}>
        <Icon of={Search} />
        <input
          ref={field}
          type="search"
          aria-label="Find in conversation"
          aria-invalid={isWrong || undefined}
          placeholder="Find in conversation"
          value={wanted.text}
          maxLength={10_000}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => find.getState().setText(event.target.value)}
          onKeyDown={onKeyDown}
          {...focusTarget('find')}
        />
        {options.map(({ option, label, icon }) => (
          <IconButton
            key={option}
            label={label}
            icon={icon}
            size="small"
            isPressed={wanted[option]}
            onClick={() => find.getState().toggle(option)}
          />
        ))}
      </div>
      <Outcome />
      <IconButton
        label="Previous match"
        keys={['Shift', 'Enter']}
        icon={ArrowUp}
        size="medium"
        isDisabled={!hasMatches}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next match"
        keys={['Enter']}
        icon={ArrowDown}
        size="medium"
        isDisabled={!hasMatches}
        onClick={() => step(1)}
      />
      <IconButton
        label="Close"
        keys={['Esc']}
        icon={X}
        size="medium"
        onClick={() => void close()}
      />
    </div>
  )
}

/** What is not as it seems: texts that were not searched, matches that are not marked. */
function noticesOf({ notices, counts }: FindAnswer): readonly string[] {
  if (!counts.some((count) => count > mostHighlights)) return notices
  return [
    ...notices,
    `Only the first ${formatCount(mostHighlights)} matches of an entry are marked.`,
  ]
}

/** Number of the match among all, or why there is none; spoken too. */
function Outcome() {
  const answer = useFind((state) => state.answer)
  const current = useFind((state) => state.current)
  const failure = useFind((state) => state.failure)
  const isAsking = useFind((state) => state.isAsking)
  const isEmpty = useFind(({ wanted }) => wanted.text === '')
  const number = answer === undefined || current === undefined ? 0 : matchNumber(answer, current)
  const words = wordsFor()
  const notices = useMemo(() => (answer === undefined ? [] : noticesOf(answer)), [answer])

  function wordsFor(): string {
    if (isEmpty) return ''
    if (failure !== undefined) return failure.message
    if (answer === undefined) return isAsking ? 'Searching…' : ''
    if (answer.fault !== null) return answer.fault
    if (answer.total === 0) return 'No matches'
    if (number === 0) return formatQuantity(answer.total, 'match', 'matches')
    return `${formatCount(number)} of ${formatCount(answer.total)}`
  }
  return (
    <span className="find-outcome small t2 number">
      <span className="cut" title={words}>
        {words}
      </span>
      {notices.length > 0 && (
        <span className="cut warn-t" title={notices.join(' ')}>
          {notices.join(' ')}
        </span>
      )}
      <LiveRegion label="Matches">{[words, ...notices].join('. ')}</LiveRegion>
    </span>
  )
}
