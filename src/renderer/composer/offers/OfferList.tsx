import { useLayoutEffect, useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { KeyHint } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { optionId } from '../../ui/controls/PickerField'
import { formatQuantity } from '../../ui/format/format'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import type { OfferBox } from './use-offer-box'

/** List above the message: prompts and commands that begin with what was typed. Screen readers hear how many there are. */
export function OfferList(props: { readonly box: OfferBox; readonly label: string }) {
  const { box, label } = props
  const { id, groups, count, fault, active } = box
  const isShown = count > 0 || fault !== undefined
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other offers another one is active
  useLayoutEffect(() => {
    if (active === 0) list.current?.scrollTo({ top: 0 })
    else list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active, groups])
  let at = 0
  return (
    <>
      <LiveRegion label={label}>
        {isShown && [fault, formatQuantity(count, 'suggestion')].filter(Boolean).join(' ')}
      </LiveRegion>
      {isShown && (
        <div ref={list} id={id} className="offers" role="listbox" aria-label={label}>
          {fault !== undefined && (
            // biome-ignore lint/a11y/useFocusableInteractive: it is read with the list and cannot be taken
            <div className="offer t2 small" role="option" aria-selected={false} aria-disabled>
              {visibleText(fault)}
            </div>
          )}
          {groups.map(({ name, offers }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
            <div key={name} role="group" aria-label={name}>
              <div className="offers-head micro" aria-hidden="true">
                {name}
              </div>
              {offers.map((offer) => {
                const place = at++
                return (
                  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names this option as its active one
                  <div
                    key={offer.id}
                    id={optionId(id, place)}
                    className={`offer ${place === active ? 'selected' : ''}`}
                    role="option"
                    aria-selected={place === active}
                    // Before the field would lose the focus.
                    onPointerDown={(event) => {
                      event.preventDefault()
                      if (event.button === 0) box.choose(offer)
                    }}
                  >
                    <Icon of={offer.icon} />
                    <span className="offer-typed cut">
                      <bdi>{visibleText(offer.typed)}</bdi>
                    </span>
                    <span className="offer-about cut t2 small">
                      <bdi>{visibleText(offer.about)}</bdi>
                    </span>
                    {offer.keys !== undefined && <KeyHint keys={offer.keys} />}
                  </div>
                )
              })}
            </div>
          ))}
        </div>
      )}
    </>
  )
}
