/**
 * What values have to look like that are kept as JSON: the same shape is asked before they are written and after they were
 * read. A shape gives the value with what it knows of, or throws a ShapeError that names the part.
 */
export type Shape<T> = (value: unknown, name: string) => T;

export class ShapeError extends Error {}

export const text: Shape<string> = (value, name) =>
  typeof value === 'string' ? value : fail(name, 'a text', value);

export const truth: Shape<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : fail(name, 'true or false', value);

/** Any number but those that JSON does not have. */
export const number: Shape<number> = (value, name) =>
  typeof value === 'number' && Number.isFinite(value) ? value : fail(name, 'a number', value);

/** A whole number from 0. */
export const count: Shape<number> = (value, name) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail(name, 'a count', value);

/** A number of something, or -1 for none. */
export const place: Shape<number> = (value, name) => (value === -1 ? -1 : count(value, name));

export const oneOf =
  <T extends string>(...texts: readonly T[]): Shape<T> =>
  (value, name) =>
    texts.find((each) => each === value) ?? fail(name, `one of ${texts.join(', ')}`, value);

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, name) =>
    value === null ? null : shape(value, name);

/** What may be missing, and stands for `other` then. */
export const orElse =
  <T>(shape: Shape<T>, other: T): Shape<T> =>
  (value, name) =>
    value === undefined ? other : shape(value, name);

export const list =
  <T>(shape: Shape<T>): Shape<readonly T[]> =>
  (value, name) =>
    Array.isArray(value) ? value.map((each, i) => shape(each, `${name}[${i}]`)) : fail(name, 'a list', value);

/** Values of one shape, by names that are not known before. */
export const named =
  <T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (value, name) =>
    Object.fromEntries(
      Object.entries(objectOf(value, name)).map(([key, each]) => [key, shape(each, `${name}.${key}`)]),
    );

export const fields =
  <T>(shapes: { readonly [Name in keyof T]-?: Shape<T[Name]> }): Shape<T> =>
  (value, name) => {
    const object = objectOf(value, name);
    const made: Partial<T> = {};
    for (const key of Object.keys(shapes) as (keyof T & string)[])
      made[key] = shapes[key](object[key], `${name}.${key}`);
    return made as T;
  };

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(name, 'an object', value);
  return value as Record<string, unknown>;
}

function fail(name: string, what: string, value: unknown): never {
  throw new ShapeError(`${name} is not ${what}, but ${String(JSON.stringify(value)).slice(0, 40)}`);
}
