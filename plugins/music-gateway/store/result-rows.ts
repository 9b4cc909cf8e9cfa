import type Bindings from "@duckdb/node-bindings";

/** One row of a result, by column. Counts are numbers; the statement casts dates and decimals to text. */
export type ResultRow = Readonly<Record<string, Cell>>;

type Cell = string | number | boolean | null;

/** Reads the value of a row from the bytes of a column. */
type CellReader = (bytes: DataView, row: number) => Cell;

const TEXT = new TextDecoder();
/** A longer text is stored elsewhere, and its cell contains a pointer. */
const MOST_BYTES_IN_CELL = 12;

/** All rows of a result. */
export async function resultRows(
  duckdb: typeof Bindings,
  result: Bindings.Result,
): Promise<readonly ResultRow[]> {
  const rows: Record<string, Cell>[] = [];
  const names = Array.from({ length: duckdb.column_count(result) }, (_, at) =>
    duckdb.column_name(result, at),
  );
  const columns = names.map((_, at) => columnOf(duckdb, duckdb.column_type(result, at)));
  for (;;) {
    const chunk = await duckdb.fetch_chunk(result);
    const size = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk);
    if (chunk === null || size === 0) return rows;
    const first = rows.length;
    for (let row = 0; row < size; row += 1) rows.push({});
    for (const [at, { bytes, read }] of columns.entries()) {
      const vector = duckdb.data_chunk_get_vector(chunk, at);
      const { buffer, byteOffset, byteLength } = duckdb.vector_get_data(vector, size * bytes);
      const data = new DataView(buffer, byteOffset, byteLength);
      // Missing if all rows have a value.
      const filled = duckdb.vector_get_validity(vector, Math.ceil(size / 64) * 8) as Uint8Array | null;
      for (let row = 0; row < size; row += 1) {
        const isFilled = filled === null || (((filled[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
        (rows[first + row] as Record<string, Cell>)[names[at] as string] = isFilled ? read(data, row) : null;
      }
    }
  }
}

/** The size of a cell in bytes, and its reader. @throws TypeError for a type that a statement must cast. */
function columnOf(
  duckdb: typeof Bindings,
  type: Bindings.Type,
): { readonly bytes: number; readonly read: CellReader } {
  const { Type } = duckdb;
  switch (type) {
    case Type.BOOLEAN:
      return { bytes: 1, read: (data, row) => data.getUint8(row) !== 0 };
    case Type.SQLNULL:
      return { bytes: 4, read: () => null };
    case Type.INTEGER:
      return { bytes: 4, read: (data, row) => data.getInt32(row * 4, true) };
    case Type.BIGINT:
      return { bytes: 8, read: (data, row) => Number(data.getBigInt64(row * 8, true)) };
    case Type.HUGEINT:
      return {
        bytes: 16,
        read: (data, row) =>
          Number((data.getBigInt64(row * 16 + 8, true) << 64n) + data.getBigUint64(row * 16, true)),
      };
    case Type.DOUBLE:
      return { bytes: 8, read: (data, row) => data.getFloat64(row * 8, true) };
    case Type.VARCHAR:
      return { bytes: 16, read: (data, row) => TEXT.decode(textBytes(duckdb, data, row * 16)) };
    default:
      throw new TypeError("A column of an answer must be cast to text or to a number.");
  }
}

function textBytes(duckdb: typeof Bindings, { buffer, byteOffset }: DataView, at: number): Uint8Array {
  const place = byteOffset + at;
  const length = new DataView(buffer, place, 4).getUint32(0, true);
  return length > MOST_BYTES_IN_CELL
    ? duckdb.get_data_from_pointer(buffer as ArrayBuffer, place + 8, length)
    : new Uint8Array(buffer, place + 4, length);
}
