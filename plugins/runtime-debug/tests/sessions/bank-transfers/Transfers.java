import java.util.ArrayList;
import java.util.List;

/** Adds up transfers by account. */
public class Transfers {
    record Transfer(Integer account, long cents) {}

    record Account(Integer number, String owner) {}

    static List<Transfer> transfers() {
        List<Transfer> all = new ArrayList<>();
        for (String row : "42 1000;1007 250;1007 4050;42 -300".split(";")) {
            String[] cells = row.split(" ");
            all.add(new Transfer(Integer.valueOf(cells[0]), Long.parseLong(cells[1])));
        }
        return all;
    }

    /** The sum of the transfers of one account. */
    static long balance(Account account, List<Transfer> all) {
        long cents = 0;
        for (Transfer transfer : all) {
            boolean own = transfer.account() == account.number();
            if (own) {
                cents += transfer.cents();
            }
        }
        return cents;
    }

    public static void main(String[] words) {
        List<Account> accounts = List.of(new Account(42, "Ada"), new Account(1007, "Grace"));
        List<Transfer> all = transfers();
        for (Account account : accounts) {
            long cents = balance(account, all);
            System.out.println(account.owner() + ": " + cents);
        }
    }
}
