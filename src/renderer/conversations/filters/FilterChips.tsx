import { X } from 'lucide-react'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { smartLists } from '../../../shared/model/lists/smart-lists'
import { useLibraryState, useStores } from '../../state/context'
import { focusOn } from '../../ui/behaviour/focus'
import { IconButton } from '../../ui/controls/Button'
import { useAreSourcesInMenu } from './SourceFilter'
import { shortProject } from './short-project'

/** The filters that leave conversations out, one chip each, which takes it away; nothing where all are shown. */
export function FilterChips() {
  const { library } = useStores()
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const color = useLibraryState((state) => state.color)
  const project = useLibraryState((state) => state.project)
  const list = useLibraryState((state) => state.list)
  const isInMenu = useAreSourcesInMenu()
  const picked = useLibraryState((state) => state.picked)
  const chips = [
    ...(picked === undefined
      ? []
      : [
          chip(
            'Only',
            picked.label,
            () => library.getState().setPicked(undefined),
            'Show all conversations',
          ),
        ]),
    ...(list === undefined
      ? []
      : [
          chip(
            'List',
            smartLists[list].name,
            () => library.getState().setList(undefined),
            undefined,
            smartLists[list].holds,
          ),
        ]),
    ...(project === undefined
      ? []
      : [
          chip(
            'Project',
            shortProject(project),
            () => library.getState().setProject(undefined),
            undefined,
            project,
          ),
        ]),
    // The buttons of a few sources show which is chosen.
    ...(source === undefined || !isInMenu
      ? []
      : [chip('Source', sourceLabel(source), () => library.getState().setSource(undefined))]),
    ...(tag === undefined ? [] : [chip('Tag', tag, () => library.getState().setTag(undefined))]),
    ...(color === undefined
      ? []
      : [chip('Color', color, () => library.getState().setColor(undefined))]),
  ]
  if (chips.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div className="library-chips" role="group" aria-label="Filters">
      {chips.map(({ kind, words, title, label, take }) => (
        <span key={kind} className="library-chip" title={title}>
          <span className="cut">
            <span className="t3">{kind}: </span>
            {words}
          </span>
          <IconButton
            label={label ?? `Remove the filter ${kind}: ${words}`}
            icon={X}
            size="small"
            onClick={() => {
              take()
              // Its button is gone.
              if (!focusOn('library')) focusOn('filter')
            }}
          />
        </span>
      ))}
    </div>
  )
}

function chip(kind: string, words: string, take: () => void, label?: string, title?: string) {
  return { kind, words, take, label, title }
}
