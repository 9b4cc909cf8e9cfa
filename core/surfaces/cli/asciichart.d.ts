/** The part of asciichart that is used; the package has no types. */
declare module "asciichart" {
  const asciichart: {
    /** Draws numbers as a line of `height` + 1 rows, a column a number, with labels left of it. */
    plot(
      series: readonly number[],
      options: {
        readonly height: number;
        readonly format: (value: number) => string;
        readonly offset?: number;
      },
    ): string;
  };
  export default asciichart;
}
