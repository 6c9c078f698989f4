import { EyeOff, FoldHorizontal, ListTree, Pencil, UnfoldHorizontal } from 'lucide-react'
import { focusOn } from '../ui/behaviour/focus'
import { Button, IconButton } from '../ui/controls/Button'

/** Actions on a node of the map. */
export interface CardActs {
  readonly onOpen: () => void
  readonly onMark: () => void
  /** Compares the open branch with B; undefined where nothing is marked. */
  readonly onCompare: (() => void) | undefined
  /** Undefined where the node does not begin with an own message. */
  readonly onEdit: (() => void) | undefined
  readonly onFold: () => void
  readonly isMarked: boolean
  readonly isCollapsed: boolean
  /** Undefined where nothing comes after the node. */
  readonly onCollapse: (() => void) | undefined
  /** Undefined on the open path. */
  readonly onHide: (() => void) | undefined
}

/** Buttons of the card of the selected node: one line of them. */
export function CardActions(props: CardActs & { readonly isFold: boolean }) {
  return (
    <div className="map-card-acts">
      {props.isFold ? (
        <Button isSmall icon={ListTree} keys={['*']} onClick={props.onFold}>
          Show all
        </Button>
      ) : (
        <>
          {/* What is pressed keeps its place and its name: keys have no room beside what comes then. */}
          <Button isSmall onClick={props.onOpen}>
            Open
          </Button>
          <Button
            isSmall
            kind="ghost"
            isPressed={props.isMarked}
            {...(props.onCompare === undefined ? { keys: ['Space'] } : {})}
            onClick={props.onMark}
          >
            Mark as B
          </Button>
          {props.onCompare !== undefined && (
            <Button isSmall kind="primary" onClick={props.onCompare}>
              Compare A with B
            </Button>
          )}
          <span className="grow" />
          {props.onEdit !== undefined && (
            <IconButton label="Edit" size="medium" icon={Pencil} onClick={props.onEdit} />
          )}
          {props.onCollapse !== undefined && (
            <IconButton
              label={
                props.isCollapsed ? 'Show the branches after it' : 'Fold the branches after it'
              }
              keys={['.']}
              size="medium"
              icon={props.isCollapsed ? UnfoldHorizontal : FoldHorizontal}
              onClick={props.onCollapse}
            />
          )}
          {props.onHide !== undefined && (
            <IconButton
              label="Hide branch"
              keys={['Del']}
              size="medium"
              icon={EyeOff}
              onClick={() => {
                props.onHide?.()
                focusOn('map')
              }}
            />
          )}
        </>
      )}
    </div>
  )
}
