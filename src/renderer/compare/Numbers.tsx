import { useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { ComparisonOverview } from '../../shared/model/comparison/comparison-view'
import { shownNumbers } from './comparison-labels'

/** Table of the numbers of both sides after their fork. */
export function Numbers(props: { readonly view: ComparisonOverview }) {
  const { view } = props
  const rows = useMemo(() => shownNumbers(view), [view])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="compare-numbers" aria-label="Numbers" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{view.forked ? 'After the fork' : 'In all'}</th>
            <th scope="col">
              A<span className="unseen">: {visibleText(view.left.title)}</span>
            </th>
            <th scope="col">
              B<span className="unseen">: {visibleText(view.right.title)}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, left, right, isPart }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be named like another row
            <tr key={index} className={left === right ? '' : 'differs'}>
              <th scope="row" className={isPart ? 'part' : ''}>
                {visibleText(label)}
              </th>
              <td className="number">{left}</td>
              <td className="number">{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
