import { ChoiceMenu, type MenuOption } from './ChoiceMenu'

/** Menu of a filter: one of its values, or all of them; nothing where there is nothing to choose. */
export function FilterMenu<T extends string | null>(props: {
  /** Name of the things that are filtered, for screen readers. */
  readonly name: string
  /** Name of the choice of all values. */
  readonly all: string
  readonly options: readonly MenuOption<T>[]
  /** Undefined for all. */
  readonly value: T | undefined
  /** The name of a chosen value that is no option any more. */
  readonly nameOf: (value: T) => string
  readonly onChoose: (value: T | undefined) => void
}) {
  const { name, all, options, value, nameOf } = props
  if (options.length < 2 && value === undefined) return null
  const isListed = value === undefined || options.some((option) => option.value === value)
  return (
    <ChoiceMenu<T | undefined>
      text={
        <>
          <span className="unseen">{name}: </span>
          {value === undefined ? all : nameOf(value)}
        </>
      }
      options={[
        { value: undefined, label: all },
        ...options,
        ...(isListed ? [] : [{ value, label: nameOf(value) }]),
      ]}
      value={value}
      onChoose={props.onChoose}
      className="button ghost small filter-menu"
      isNarrowed={value !== undefined}
    />
  )
}
